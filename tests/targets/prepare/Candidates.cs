// Types that may stand for a generic parameter, likely ones first.
using System.Reflection;

namespace Prepare;

static class Candidates
{
    const int Most = 12;
    static readonly Type[] references =
    [
        typeof(object), typeof(string), typeof(int[]), typeof(Exception), typeof(List<object>), typeof(Action),
    ];
    static readonly Type[] values =
    [
        typeof(int), typeof(byte), typeof(double), typeof(char), typeof(ulong), typeof(DayOfWeek), typeof(Guid),
        typeof(DateTime), typeof(KeyValuePair<int, long>),
    ];

    /// <summary>For parameters[at]; of the arguments, those are null that are not chosen yet.</summary>
    public static IEnumerable<Type> For(Type[] parameters, Type[] arguments, int at, bool preferValues)
    {
        Type parameter = parameters[at];
        GenericParameterAttributes attributes = parameter.GenericParameterAttributes;
        bool Has(GenericParameterAttributes what) => (attributes & what) != 0;
        Type[] constraints = [.. parameter.GetGenericParameterConstraints().Where(type => type != typeof(ValueType))];
        IEnumerable<Type> all = constraints.SelectMany(constraint => Of(constraint, parameters, arguments, at))
            .Concat(references).Concat(values).Distinct()
            .Where(type => type.IsValueType || !Has(GenericParameterAttributes.NotNullableValueTypeConstraint))
            .Where(type => !type.IsValueType || !Has(GenericParameterAttributes.ReferenceTypeConstraint))
            .Where(type => IsMade(type) || !Has(GenericParameterAttributes.DefaultConstructorConstraint))
            .Where(type => constraints.All(constraint => MaySatisfy(type, constraint, parameters, arguments)));
        // The other kind is better than nothing: methods have parameters of both.
        return all.OrderBy(type => type.IsValueType != preferValues).ThenBy(type => Rank(type)).Take(Most);
    }

    static bool IsMade(Type type) =>
        type.IsValueType || (!type.IsAbstract && type.GetConstructor(Type.EmptyTypes) is { IsPublic: true });

    // Plain types first: fewer are loaded.
    static int Rank(Type type)
    {
        int known = Array.IndexOf(references, type);
        if (known < 0) known = Array.IndexOf(values, type);
        return known >= 0 ? known : 100;
    }

    // What a constraint itself names.
    static IEnumerable<Type> Of(Type constraint, Type[] parameters, Type[] arguments, int at)
    {
        if (constraint.IsGenericParameter)
        {
            int other = Array.IndexOf(parameters, constraint);
            return other >= 0 && arguments[other] != null ? [arguments[other]] : [];
        }
        Type? itself = Close(constraint, parameters, arguments);
        return Implementers.Of(constraint, parameters[at].Module.Assembly)
            .Select(type => Implementers.Close(type, constraint, parameters, arguments))
            .Prepend(itself is { IsSealed: false } ? itself : null).OfType<Type>().Take(40);
    }

    /// <summary>The type with the chosen arguments in place of the parameters; null while some are not chosen.</summary>
    public static Type? Close(Type type, Type[] parameters, Type[] arguments)
    {
        if (!type.ContainsGenericParameters) return type;
        if (type.IsGenericParameter)
        {
            int index = Array.IndexOf(parameters, type);
            return index >= 0 ? arguments[index] : null;
        }
        if (type.IsSZArray) return Close(type.GetElementType()!, parameters, arguments)?.MakeArrayType();
        if (!type.IsGenericType) return null;
        Type?[] closed = [.. type.GetGenericArguments().Select(own => Close(own, parameters, arguments))];
        if (closed.Contains(null)) return null;
        try
        {
            return type.GetGenericTypeDefinition().MakeGenericType(closed!);
        }
        catch (ArgumentException)
        {
            return null;
        }
    }

    // By the definitions alone: the runtime has the last word.
    static bool MaySatisfy(Type type, Type constraint, Type[] parameters, Type[] arguments)
    {
        if (constraint.IsGenericParameter)
            return Close(constraint, parameters, arguments) is not { } other || other.IsAssignableFrom(type);
        Type wanted = Implementers.Definition(constraint);
        return Implementers.Bases(type).Any(found => Implementers.Definition(found) == wanted);
    }
}

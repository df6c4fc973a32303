// Type arguments that generic methods can have: of reference types and of value types, where some can be found.
using System.Reflection;

namespace Prepare;

static class Instantiations
{
    const int Steps = 500;  // of a search, before it is given up
    static readonly Dictionary<Type, List<Type[]>> ofTypes = [];

    /// <summary>Arguments for the method's type and for the method, one behind the other.</summary>
    public static List<Type[]> Of(MethodBase method)
    {
        List<Type[]> owners = method.DeclaringType is { IsGenericTypeDefinition: true } type ? Of(type) : [[]];
        if (!method.IsGenericMethodDefinition) return owners;

        List<Type[]> found = [];
        Type[] ofType = method.DeclaringType is { } declaring ? declaring.GetGenericArguments() : [];
        Type[] parameters = [.. ofType, .. method.GetGenericArguments()];
        foreach (Type[] owner in owners)
        {
            // Methods of a type that has both kinds of arguments are compiled for its own kind.
            foreach (Type[] made in Find(parameters, owner, arguments => Close(method, arguments, owner.Length)))
            {
                if (owner.Length == 0 || found.Count == 0 || IsOfValues(made) == IsOfValues(owner)) found.Add(made);
            }
        }
        return found;
    }

    static List<Type[]> Of(Type type)
    {
        if (ofTypes.TryGetValue(type, out var found)) return found;
        Type[] parameters = type.GetGenericArguments();
        found = Find(parameters, [], arguments => type.MakeGenericType(arguments));
        // A nested type has its outer type's parameters as well.
        if (found.Count == 0 && type.DeclaringType is { IsGenericTypeDefinition: true } outer &&
            outer.GetGenericArguments().Length == parameters.Length)
            found = Of(outer);
        if (found.Count == 0) found = [.. Implementers.ArgumentsGivenTo(type).Take(1)];
        return ofTypes[type] = found;
    }

    static bool IsOfValues(Type[] arguments) => arguments.All(type => type.IsValueType);

    static void Close(MethodBase method, Type[] arguments, int owned)
    {
        var definition = (MethodInfo)method;
        if (owned != 0)
        {
            Type owner = method.DeclaringType!.MakeGenericType(arguments[..owned]);
            definition = (MethodInfo)MethodBase.GetMethodFromHandle(method.MethodHandle, owner.TypeHandle)!;
        }
        definition.MakeGenericMethod(arguments[owned..]);
    }

    // At most one of reference types and one of value types that `close` takes; `fixedArguments` are those of the first
    // parameters.
    static List<Type[]> Find(Type[] parameters, Type[] fixedArguments, Action<Type[]> close)
    {
        List<Type[]> found = [];
        // Those first that the constraints of others speak of.
        int Others(int at) => parameters[at].GetGenericParameterConstraints().Sum(type => Mentions(type, parameters[at]));
        int[] order = [.. Enumerable.Range(fixedArguments.Length, parameters.Length - fixedArguments.Length).OrderBy(Others)];
        foreach (bool values in new[] { false, true })
        {
            var arguments = new Type[parameters.Length];
            fixedArguments.CopyTo(arguments, 0);
            int steps = 0;
            if (Choose(parameters, arguments, order, values, close, ref steps) &&
                !found.Any(other => other.SequenceEqual(arguments)))
                found.Add(arguments);
        }
        return found;
    }

    // How many parameters a constraint speaks of, but for the one whose it is.
    static int Mentions(Type constraint, Type own) => constraint.IsGenericParameter ? (constraint == own ? 0 : 1)
        : constraint.HasElementType ? Mentions(constraint.GetElementType()!, own)
        : constraint.GetGenericArguments().Sum(type => Mentions(type, own));

    // Chooses the arguments in this order, going back where what was chosen does not fit.
    static bool Choose(Type[] parameters, Type[] arguments, ReadOnlySpan<int> order, bool values, Action<Type[]> close,
                       ref int steps)
    {
        if (++steps > Steps) return false;
        if (order.Length == 0) return IsTaken(close, arguments);
        foreach (Type candidate in Candidates.For(parameters, arguments, order[0], values))
        {
            arguments[order[0]] = candidate;
            if (Choose(parameters, arguments, order[1..], values, close, ref steps)) return true;
        }
        arguments[order[0]] = null!;
        return false;
    }

    static bool IsTaken(Action<Type[]> close, Type[] arguments)
    {
        try
        {
            close(arguments);
            return true;
        }
        catch (Exception e) when (e is ArgumentException or TypeLoadException or NotSupportedException)
        {
            return false;
        }
    }
}

// Which types of an assembly derive from a class or implement an interface.
using System.Reflection;

namespace Prepare;

static class Implementers
{
    static readonly Dictionary<Assembly, ILookup<Type, Type>> known = [];

    public static Type Definition(Type type) => type.IsGenericType ? type.GetGenericTypeDefinition() : type;

    /// <summary>The type, its base classes and its interfaces.</summary>
    public static IEnumerable<Type> Bases(Type type)
    {
        for (Type? at = type; at != null; at = at.BaseType) yield return at;
        foreach (Type implemented in type.GetInterfaces()) yield return implemented;
    }

    /// <summary>Of the constraint's assembly and of `home`; generic ones as definitions.</summary>
    public static IEnumerable<Type> Of(Type constraint, Assembly home)
    {
        Type definition = Definition(constraint);
        Assembly owner = constraint.Module.Assembly;
        IEnumerable<Type> found = In(home)[definition];
        return owner == home ? found : found.Concat(In(owner)[definition]);
    }

    /// <summary>The arguments with which others, who know what they do, derive from a generic type.</summary>
    public static IEnumerable<Type[]> ArgumentsGivenTo(Type definition)
    {
        Assembly home = definition.Assembly;
        bool Knows(Assembly assembly) => assembly.GetReferencedAssemblies().Any(name => name.Name == home.GetName().Name);
        return AppDomain.CurrentDomain.GetAssemblies().Where(assembly => assembly == home || Knows(assembly))
            .SelectMany(assembly => In(assembly)[definition])
            .SelectMany(Bases).Where(type => Definition(type) == definition && !type.ContainsGenericParameters)
            .Select(type => type.GetGenericArguments());
    }

    static ILookup<Type, Type> In(Assembly assembly)
    {
        if (known.TryGetValue(assembly, out var lookup)) return lookup;
        Type?[] types;
        try
        {
            types = assembly.GetTypes();
        }
        catch (ReflectionTypeLoadException e)
        {
            types = e.Types;
        }
        // Not those that are no type arguments, nor the base of everything.
        return known[assembly] = types.OfType<Type>().Where(type => !type.IsAbstract && !type.IsByRefLike)
            .SelectMany(type => Bases(type).Where(at => at != type && at != typeof(object) && at != typeof(ValueType))
                                    .Select(Definition).Distinct().Select(at => (at, type)))
            .ToLookup(pair => pair.at, pair => pair.type);
    }

    /// <summary>A generic implementer with arguments such that it meets the constraint; others as they are.</summary>
    public static Type? Close(Type type, Type constraint, Type[] parameters, Type[] arguments)
    {
        if (!type.IsGenericTypeDefinition) return type;
        Type[] own = type.GetGenericArguments();
        var chosen = new Type?[own.Length];
        Type? met = Bases(type).FirstOrDefault(at => Definition(at) == Definition(constraint));
        if (met is { IsGenericType: true })
        {
            foreach (var (mine, wanted) in met.GetGenericArguments().Zip(constraint.GetGenericArguments()))
            {
                int index = Array.IndexOf(own, mine);
                if (index >= 0) chosen[index] ??= Candidates.Close(wanted, parameters, arguments);
            }
        }
        for (int i = 0; i < chosen.Length; i++) chosen[i] ??= typeof(int);
        try
        {
            return type.MakeGenericType(chosen!);
        }
        catch (ArgumentException)
        {
            return null;
        }
    }
}

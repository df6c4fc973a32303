// The method bodies there are, by the assemblies' metadata: nothing is loaded for them.
using System.Reflection;
using System.Reflection.Metadata;
using System.Reflection.Metadata.Ecma335;
using System.Runtime.Loader;

namespace Prepare;

static class Bodies
{
    /// <summary>All of the shared frameworks and of the folders, but not this program; in the order of their paths.</summary>
    public static List<Assembly> Assemblies(string[] folders)
    {
        string own = typeof(Bodies).Assembly.Location;
        string trusted = (string)AppContext.GetData("TRUSTED_PLATFORM_ASSEMBLIES")!;
        return trusted.Split(':', StringSplitOptions.RemoveEmptyEntries)
            .Concat(folders.SelectMany(folder => Directory.GetFiles(folder, "*.dll")))
            .Where(path => path != own).Distinct().Order(StringComparer.Ordinal).Select(Load).ToList();
    }

    // The core library's path is not where the runtime loads it from.
    static Assembly Load(string path) => Path.GetFileNameWithoutExtension(path) == "System.Private.CoreLib"
        ? typeof(object).Assembly : AssemblyLoadContext.Default.LoadFromAssemblyPath(path);

    /// <summary>The tokens of the methods that have IL.</summary>
    public static unsafe List<int> Of(Assembly assembly)
    {
        var tokens = new List<int>();
        if (!assembly.TryGetRawMetadata(out byte* blob, out int length)) return tokens;
        var reader = new MetadataReader(blob, length);
        foreach (MethodDefinitionHandle handle in reader.MethodDefinitions)
        {
            MethodDefinition method = reader.GetMethodDefinition(handle);
            bool isIl = (method.ImplAttributes & MethodImplAttributes.CodeTypeMask) == MethodImplAttributes.IL;
            if (method.RelativeVirtualAddress != 0 && isIl) tokens.Add(MetadataTokens.GetToken(handle));
        }
        return tokens;
    }
}

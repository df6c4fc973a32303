// prepare.dll SLICE/SLICES [FOLDER…]: has every method body of the shared frameworks and of the folders' assemblies
// compiled, without running any: those whose number is SLICE modulo SLICES. Generic ones twice where that can be, for
// reference types and for value types. Says on stdout what could not be compiled and why, one line each, and sums;
// `there` are those that had been compiled before. PREPARE_TRACE=1 says each name on stderr before the runtime is asked.
using System.Reflection;
using System.Runtime;
using System.Runtime.CompilerServices;
using System.Runtime.Loader;

namespace Prepare;

static class Program
{
    static readonly bool trace = Environment.GetEnvironmentVariable("PREPARE_TRACE") == "1";
    static long bodies, compiled, there, failed, shared, unshared, uninstantiated;

    static void Main(string[] args)
    {
        string[] slice = args[0].Split('/');
        (int own, int slices) = (int.Parse(slice[0]), int.Parse(slice[1]));
        string[] folders = args[1..];
        AssemblyLoadContext.Default.Resolving += (context, name) => folders
            .Select(folder => Path.Combine(folder, name.Name + ".dll")).Where(File.Exists)
            .Select(context.LoadFromAssemblyPath).FirstOrDefault();

        var output = new StreamWriter(Console.OpenStandardOutput());
        int number = 0;
        foreach (Assembly assembly in Bodies.Assemblies(folders))
        {
            foreach (int token in Bodies.Of(assembly))
            {
                if (number++ % slices == own) Prepare(assembly.ManifestModule, token, output);
            }
        }
        output.WriteLine($"all={number} bodies={bodies} compiled={compiled} there={there} failed={failed} " +
                         $"shared={shared} unshared={unshared} uninstantiated={uninstantiated}");
        output.Flush();
    }

    static void Prepare(Module module, int token, TextWriter output)
    {
        bodies++;
        string name = $"{module.Assembly.GetName().Name} {token:x8}";
        try
        {
            MethodBase method = module.ResolveMethod(token)!;
            // Some that stand for static virtual ones come with their own parameters as arguments.
            if (method is MethodInfo { IsGenericMethod: true } generic) method = generic.GetGenericMethodDefinition();
            name += $" {method.DeclaringType}.{method.Name}";
            if (!method.IsGenericMethodDefinition && method.DeclaringType is not { IsGenericTypeDefinition: true })
            {
                Compile(method, [], name, output);
                return;
            }
            bool any = false;
            foreach (Type[] arguments in Instantiations.Of(method))
            {
                any = true;
                if (arguments.Any(argument => !argument.IsValueType)) shared++;
                else unshared++;
                Compile(method, arguments, $"{name} <{string.Join(", ", (object[])arguments)}>", output);
            }
            if (any) return;
            uninstantiated++;
            output.WriteLine($"uninstantiated {name}");
        }
        catch (Exception e)
        {
            Fail(name, e, output);
        }
    }

    static void Compile(MethodBase method, Type[] arguments, string name, TextWriter output)
    {
        if (trace) Console.Error.WriteLine(name);
        try
        {
            long before = JitInfo.GetCompiledMethodCount(currentThread: true);
            if (arguments.Length == 0) RuntimeHelpers.PrepareMethod(method.MethodHandle);
            else RuntimeHelpers.PrepareMethod(method.MethodHandle, [.. arguments.Select(type => type.TypeHandle)]);
            if (JitInfo.GetCompiledMethodCount(currentThread: true) != before) compiled++;
            else there++;
        }
        catch (Exception e)
        {
            Fail(name, e, output);
        }
    }

    static void Fail(string name, Exception e, TextWriter output)
    {
        failed++;
        output.WriteLine($"failed {name}: {e.GetType().Name}");
    }
}

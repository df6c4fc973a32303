// Programs that leak, and programs that do not: leaks NAME. Says "ready"; each line of its input is a step, after which it
// says "done". Every leak keeps some 2 MB more with each step. Healthy programs allocate as much, and end each step with as
// much as the last.
var program = args[0];
var leak = typeof(Leaks).GetMethod(program) ?? typeof(Healthy).GetMethod(program)
    ?? throw new ArgumentException("no such program: " + program);
if (program == nameof(Leaks.LocalOfMain))
{
    Leaks.LocalOfMain();
    return;
}
var step = leak.CreateDelegate<Action<int>>();
Steps.Run(step);

public static class Steps
{
    public static void Run(Action<int> step)
    {
        Console.WriteLine("ready");
        for (var number = 0; Console.ReadLine() is not null; number++)
        {
            step(number);
            Console.WriteLine("done");
        }
    }
}

// 1,000 of it are 2 MB.
public sealed class Order(int number)
{
    public readonly int Number = number;
    public readonly byte[] Lines = new byte[2_000];
}

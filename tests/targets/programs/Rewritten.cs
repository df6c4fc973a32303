// What tests of rewriting change while it runs (tests/e2e/modules/rewriter.cc).
using System.Runtime.CompilerServices;

static class Rewritten
{
    [MethodImpl(MethodImplOptions.NoInlining)] static int Answer() => 41;
    static int Inlined() => Answer() + 0;
    [MethodImpl(MethodImplOptions.NoInlining)] static int Invalid() => 7;
    [MethodImpl(MethodImplOptions.NoInlining)] static int NoToken() => 8;
    [MethodImpl(MethodImplOptions.NoInlining)] static int Damaged() => 9;
    [MethodImpl(MethodImplOptions.NoInlining)] static int Throws() => 10;

    public static void Run()
    {
        Console.WriteLine($"{Answer()} {Inlined()} {Invalid()} {NoToken()} {Damaged()} {Throws()}");
    }

    // Calls Answer until it has given each of these answers in turn, 30 s at most for each, and says where another came
    // in between; two threads call it meanwhile.
    public static void Wait(params int[] answers)
    {
        for (int i = 0; i < 2; ++i) new Thread(() => { while (answers.Contains(Answer())) ; Console.WriteLine("another answer"); }) { IsBackground = true }.Start();
        int last = answers[0], now;
        foreach (int answer in answers)
        {
            var end = Environment.TickCount64 + 30_000;
            string between = "";
            for (; (now = Answer()) != answer && Environment.TickCount64 < end; Thread.Sleep(1))
                if (now != last) between = $", after {now}";
            Console.WriteLine($"{answer}: {Answer() == answer}{between}");
            last = answer;
        }
    }
}

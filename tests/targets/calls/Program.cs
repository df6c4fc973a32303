// Calls and allocations whose numbers are known: calls ROUNDS. What a test expects stands in tests/e2e/recording/calls_test.py.
using Known;

int rounds = args.Length > 0 ? int.Parse(args[0]) : 10;
long sum = 0;
for (int i = 0; i < rounds; i++) {
  sum += Recursion.Down(20);
  sum += Recursion.Even(10) ? 1 : 0;
  sum += Exceptions.Catch(i);
  sum += Exceptions.CatchFarAway(i);
  sum += Exceptions.Filtered(i);
  sum += Generics.Use(i);
  sum += Iterators.Sum(5);
  sum += Objects.Make(i);
  sum += Natively.Make(i, new int[3]);
}
sum += Workers.Run(4, rounds * 1000);
for (int i = 0; i < rounds; i++) sum += await Async.OuterAsync(3);
Console.WriteLine($"sum {sum}");

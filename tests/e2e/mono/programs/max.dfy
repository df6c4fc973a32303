method Max(a: int, b: int) returns (c: int)
  ensures c >= a && c >= b
{
  if a < b { c := b; } else { c := a; }
}

function Fib(n: nat): nat { if n < 2 then n else Fib(n - 1) + Fib(n - 2) }

method ComputeFib(n: nat) returns (b: nat)
  ensures b == Fib(n)
{
  if n == 0 { return 0; }
  var i, a := 1, 0;
  b := 1;
  while i < n
    invariant 0 < i <= n
    invariant a == Fib(i - 1) && b == Fib(i)
  {
    a, b := b, a + b;
    i := i + 1;
  }
}

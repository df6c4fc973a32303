using System;
using System.Collections.Generic;

static class Lines {
  static int Add(int a, int b) {
    return a + b;
  }

  static int Hidden(int a) {
    int sum = Add(a, 1);
#line hidden
    sum = Add(sum, 2);
#line default
    return sum;
  }

  static int Elsewhere(int a) {
    int sum = Add(a, 1);
#line 300 "Made.cs"
    sum += 2;
    sum = Add(sum, 3);
#line default
    return sum;
  }

  static IEnumerable<int> Some() {
    yield return 1;
    yield return 2;
  }

  static void Main() {
    Func<int, int> twice = x =>
      2 * x;
    foreach (int i in Some()) Console.WriteLine(twice(Hidden(Elsewhere(i))));
    string text = null;
    Console.WriteLine(
        text.Length);
  }
}

using System.CodeDom.Compiler;
using System.Diagnostics;
using System.Diagnostics.CodeAnalysis;
using System.Runtime.CompilerServices;

namespace Cases;

[ExcludeFromCodeCoverage]
public class ExcludedType
{
    public int Value() => 1;

    public class Nested
    {
        public int Value() => 2;
    }
}

public class PartlyExcluded
{
    [ExcludeFromCodeCoverage]
    public int Method(IEnumerable<int> values) => values.Count(value => value > 3);

    [ExcludeFromCodeCoverage]
    public async Task<int> Later()
    {
        await Task.Yield();
        return 1;
    }

    [ExcludeFromCodeCoverage]
    public IEnumerable<int> Several()
    {
        yield return 1;
    }

    [ExcludeFromCodeCoverage]
    public int Property
    {
        get { return 3; }
    }

    public int OnGetter
    {
        [ExcludeFromCodeCoverage]
        get { return 3; }
        set { Console.Out.Flush(); }
    }

    [GeneratedCode("a tool", "1.0")]
    public int Generated() => 4;

    [CompilerGenerated]
    public int Made() => 5;

    [DebuggerNonUserCode]
    public int Hidden() => 6;

    [DebuggerHidden]
    public int HiddenToo() => 6;

    [Obsolete("old")]
    public int Old() => 7;

    public int Counted() => 8;
}

[GeneratedCode("a tool", "1.0")]
public class GeneratedType
{
    public int Value() => 9;
}

[CompilerGenerated]
public class MadeType
{
    public int Value() => 10;
}

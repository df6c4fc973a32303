using System.Runtime.CompilerServices;
using System.Text;

static class Strings
{
    [MethodImpl(MethodImplOptions.NoInlining)]
    public static unsafe void Constructors(int i)
    {
        char[] chars = ['a', 'b', 'c'];
        Kinds.Sink = new string('x', i + 1);
        Kinds.Sink = new string(chars);
        Kinds.Sink = new string(chars, 1, 2);
        Kinds.Sink = new string(chars.AsSpan());
        fixed (char* at = chars) Kinds.Sink = new string(at, 0, 2);
        fixed (char* at = "text") Kinds.Sink = new string(at);
        sbyte* bytes = stackalloc sbyte[] { 65, 66, 0 };
        Kinds.Sink = new string(bytes);
        Kinds.Sink = new string(bytes, 0, 2);
        Kinds.Sink = string.Create(5, i, (span, n) => span.Fill((char)('a' + n % 26)));
        Kinds.Sink = new string('x', 0);  // string.Empty
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    public static void Texts(int i)
    {
        string a = i.ToString(), b = (i * 1000).ToString();
        Kinds.Sink = a + b;
        Kinds.Sink = a + b + a;
        Kinds.Sink = a + b + a + b;
        Kinds.Sink = a + b + a + b + a;
        Kinds.Sink = $"{a}-{i}-{b,10}";
        Kinds.Sink = string.Concat(new object[] { a, i });
        Kinds.Sink = string.Format("{0} {1}", a, i);
        Kinds.Sink = string.Join(",", [a, b]);
        Kinds.Sink = "substring".Substring(i % 5);
        Kinds.Sink = "substring"[2..4];
        Kinds.Sink = "a,b,c".Split(',');
        Kinds.Sink = "  trimmed".Trim();
        Kinds.Sink = "lower".ToUpperInvariant();
        Kinds.Sink = "replace".Replace('e', 'a');
        Kinds.Sink = "replace".Replace("e", "aa");
        Kinds.Sink = "pad".PadLeft(10);
        Kinds.Sink = "insert".Insert(2, a);
        Kinds.Sink = "chars".ToCharArray();
        Kinds.Sink = Encoding.UTF8.GetBytes("bytes");
        Kinds.Sink = Encoding.UTF8.GetString("text"u8);
        Kinds.Sink = Encoding.ASCII.GetString("text"u8);
        Kinds.Sink = Convert.ToHexString([1, 2, 3]);
        Kinds.Sink = Convert.ToBase64String([1, 2, 3]);
        Kinds.Sink = 1.5.ToString();
        Kinds.Sink = Guid.Empty.ToString();
        Kinds.Sink = string.Intern("not a literal " + a);
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    public static void Builders(int i)
    {
        var builder = new StringBuilder();
        for (int n = 0; n < 100; n++) builder.Append(n).Append(", ").Append('x');
        Kinds.Sink = builder.ToString();
        Kinds.Sink = builder.ToString(3, 5);
    }
}

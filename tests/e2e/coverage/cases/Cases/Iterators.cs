namespace Cases;

public class Tree(int value, Tree? left = null, Tree? right = null)
{
    public int Value { get; } = value;

    public IEnumerable<int> InOrder()
    {
        if (left != null)  // 2 ways
        {
            foreach (int below in left.InOrder())  // 2 ways
                yield return below;
        }
        yield return Value;
        if (right != null)  // 2 ways
        {
            foreach (int below in right.InOrder())  // 2 ways
                yield return below;
        }
    }

    public static IEnumerable<int> Upto(int end)
    {
        if (end < 0)  // 2 ways
            throw new ArgumentOutOfRangeException(nameof(end));
        return Numbers();

        IEnumerable<int> Numbers()
        {
            try
            {
                for (int i = 0; i < end; i++)  // 2 ways
                    yield return i;
            }
            finally
            {
                Console.Out.Flush();
            }
        }
    }

    public static IEnumerable<int> Untaken()
    {
        yield return 1;
        yield return 2;
    }
}

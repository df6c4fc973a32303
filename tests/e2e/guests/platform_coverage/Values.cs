namespace Orchard;

public readonly struct Weight(int grams) : IComparable<Weight>
{
    public int Grams { get; } = grams;

    public static Weight operator +(Weight left, Weight right) => new(left.Grams + right.Grams);

    public static Weight operator -(Weight left, Weight right) =>
        left.Grams >= right.Grams ? new(left.Grams - right.Grams) : throw new ArgumentException("less than nothing");

    public int CompareTo(Weight other) => Grams.CompareTo(other.Grams);

    public override string ToString() => Grams switch
    {
        0 => "nothing",
        < 1000 => $"{Grams} g",
        _ when Grams % 1000 == 0 => $"{Grams / 1000} kg",
        _ => $"{Grams / 1000.0:F1} kg",
    };
}

public abstract record Fruit(string Name, Weight Weight)
{
    public virtual decimal Price => Weight.Grams * 0.004m;
}

public sealed record Apple(Weight Weight) : Fruit("apple", Weight);

public sealed record Pear(Weight Weight, bool Ripe) : Fruit("pear", Weight)
{
    public override decimal Price
    {
        get
        {
            if (!Ripe) return base.Price / 2;
            return base.Price * 2;
        }
    }
}

public interface IShelf<T> where T : notnull
{
    int Count { get; }
    T this[int place] { get; }
    bool IsEmpty => Count == 0;
}

public class Shelf<T> : IShelf<T> where T : notnull, IComparable<T>
{
    static readonly Comparer<T> order;
    readonly List<T> things = [];

    static Shelf() => order = Comparer<T>.Default;

    public event Action<T>? Added;

    public int Count => things.Count;
    public T this[int place] => things[place];

    public void Add(T thing)
    {
        var place = things.BinarySearch(thing, order);
        things.Insert(place < 0 ? ~place : place, thing);
        Added?.Invoke(thing);
    }

    public TResult Folded<TResult>(TResult seed, Func<TResult, T, TResult> step)
    {
        foreach (var thing in things) seed = step(seed, thing);
        return seed;
    }

    public IEnumerable<(T First, T Second)> Pairs()
    {
        for (var i = 1; i < things.Count; ++i) yield return (things[i - 1], things[i]);
    }

    public void Clear() => things.Clear();
}

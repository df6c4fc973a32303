namespace Cases;

public class Cell<T> where T : IComparable<T>
{
    private T? value;
    private bool has;

    public T? Value
    {
        get => value;
        set
        {
            if (value == null)  // 2 ways
                throw new ArgumentNullException(nameof(value));
            this.value = value;
            has = true;
        }
    }

    public bool Larger(T other) => has && value!.CompareTo(other) > 0;  // 2 ways

    public U Mapped<U>(Func<T, U> map, U otherwise) => has ? map(value!) : otherwise;  // 2 ways

    public class Inner
    {
        public static string Name<U>() => typeof(U) == typeof(int) ? "int" : typeof(T).Name;  // 2 ways
    }
}

public interface IWithDefault
{
    int Basic();
    int Doubled() => Basic() * 2;
    static abstract int Zero { get; }
}

public readonly struct Seven : IWithDefault
{
    public int Basic() => 7;
    public static int Zero => 0;
    public static Seven operator +(Seven a, Seven b) => a;
    public static implicit operator int(Seven seven) => 7;
}

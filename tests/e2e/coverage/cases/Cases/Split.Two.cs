namespace Cases;

public partial class Split
{
    private readonly string name = "split";

    private int Two()
    {
        return name.Length;
    }

    partial void Hook(int value)
    {
        if (value > 1)  // 2 ways
            Console.WriteLine("more");
    }
}

namespace Cases;

public partial class Split
{
    private readonly int seed = 3;

    public int One() => seed + Two();

    partial void Hook(int value);

    public void Call() => Hook(1);
}

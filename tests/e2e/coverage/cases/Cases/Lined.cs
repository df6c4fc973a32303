namespace Cases;

public static class Lined
{
    public static int Moved(int value)
    {
#line 100 "Template.txt"
        int result = value;
        if (result > 5)
            result = 5;
#line hidden
        result += 0;
#line default
        return result;
    }
}

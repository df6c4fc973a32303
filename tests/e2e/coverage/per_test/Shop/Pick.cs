namespace Shop;

// Each line with code ends with the tests that run it: two go different ways through the same methods.
public static class Pick
{
    public static int Of(int which)
    {                                                                          // First Second
        if (which == 1)                                                        // First Second
            return 10;                                                         // First
        if (which == 2)                                                        // Second
            return 20;                                                         // Second
        return 30;                                                             // none
    }                                                                          // First Second

    public static int Checked(int which)
    {                                                                          // First Second
        try
        {                                                                      // First Second
            if (which > 1) throw new ArgumentException("as asked");            // First Second
            int doubled = which * 2;                                           // First
            return doubled;                                                    // First
        }
        catch (ArgumentException)                                              // Second
        {                                                                      // Second
            return -1;                                                         // Second
        }
    }                                                                          // First Second

    public static int Through(int which)
    {                                                                          // First Second
        Refuse(which);                                                         // First Second
        return which;                                                          // First
    }                                                                          // First

    private static void Refuse(int which)
    {                                                                          // First Second
        if (which == 2)                                                        // First Second
            throw new InvalidOperationException("as asked");                   // Second
    }                                                                          // First

    public static int Filtered(int which)
    {                                                                          // First Second
        return Values(which)                                                   // First Second
            .Where(value =>                                                    // First Second
            {                                                                  // Second
                if (value > 4)                                                 // Second
                    return true;                                               // none
                return false;                                                  // Second
            })                                                                 // Second
            .Count();                                                          // First Second
    }                                                                          // First Second

    private static IEnumerable<int> Values(int which)
    {                                                                          // First Second
        if (which == 1)                                                        // First Second
            yield break;                                                       // First
        yield return which;                                                    // Second
        yield return which + 1;                                                // Second
    }                                                                          // Second

    public static async Task<int> Later(int which)
    {                                                                          // First Second
        await Task.Yield();                                                    // First Second
        if (which == 1)                                                        // First Second
            return 1;                                                          // First
        await Task.Delay(1);                                                   // Second
        return which;                                                          // Second
    }                                                                          // First Second

    public static string Word(int which) => which switch                       // First Second
    {                                                                          // First Second
        1 => "one",                                                            // First
        2 => "two",                                                            // Second
        _ => "many",                                                           // none
    };                                                                         // First Second
}

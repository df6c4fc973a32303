#:package Oriel.Log@*
#:property PublishAot=false
// The longest times in which a log has no event of any thread, and what came before and after: where a program waited for
// somebody else. Needs the package Oriel.Log, which an installed Oriel has in share/oriel/nuget. Use it:
//   dotnet nuget add source /usr/share/oriel/nuget --name oriel
//   dotnet run quiet.cs run.oriel
using Oriel.Log;

if (args is not [string path])
{
    Console.Error.WriteLine("quiet: name a log");
    return 1;
}
try
{
    using var log = LogFile.Open(path);
    LogEvent? before = null;
    var gaps = new List<(TimeSpan Length, LogEvent Before, LogEvent After)>();
    foreach (var e in log.Events().Where(e => e.Name != "sampling_paced").OrderBy(e => e.At))
    {
        if (before != null) gaps.Add((e.At - before.At, before, e));
        before = e;
    }
    foreach (var (length, first, last) in gaps.OrderByDescending(gap => gap.Length).Take(3))
        Console.WriteLine($"{length.TotalMilliseconds:F1} ms between {first.Name} on {first.Thread} and {last.Name} on {last.Thread}");
    Console.WriteLine($"{log.Threads.Count()} threads, {log.Samples.Sum(s => s.Periods)} samples, {log.Collections.Count()} collections");
    return 0;
}
catch (LogException e)
{
    Console.Error.WriteLine($"quiet: {e.Message}");
    return 1;
}

namespace FsCases

type Shape =
    | Circle of radius: float
    | Box of width: float * height: float
    | Nothing

type Person = { Name: string; Age: int }

module Work =
    let area shape =
        match shape with
        | Circle radius -> System.Math.PI * radius * radius
        | Box(width, height) when width = height -> width * width
        | Box(width, height) -> width * height
        | Nothing -> 0.0

    let sign value =
        if value < 0 then "negative"
        elif value = 0 then "zero"
        else "positive"

    let filtered least values =
        values |> List.filter (fun value -> value >= least) |> List.map (fun value -> value * 2)

    let rec sum values =
        match values with
        | [] -> 0
        | head :: tail -> head + sum tail

    let later value =
        task {
            do! System.Threading.Tasks.Task.Yield()
            if value > 10 then return 10 else return value
        }

    let workflow value =
        async {
            do! Async.Sleep 1
            return value + 1
        }

    let numbers count =
        seq {
            for i in 1..count do
                if i % 2 = 0 then
                    yield i
        }

    let safe (text: string) =
        try
            int text
        with
        | :? System.FormatException -> -1

    let never () =
        printfn "never"

    let named (person: Person option) =
        match person with
        | Some { Name = name; Age = age } when age > 17 -> name
        | Some _ -> "child"
        | None -> "nobody"

type Counter(start: int) =
    let mutable count = start
    member _.Next() =
        count <- count + 1
        count
    member val Label = "label" with get, set

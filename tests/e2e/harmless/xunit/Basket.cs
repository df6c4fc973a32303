namespace Shop;

public record Item(string Name, decimal Price, int Count);

public class EmptyBasketException() : InvalidOperationException("the basket is empty");

public class Basket
{
    readonly List<Item> items = [];

    public decimal Total => items.Sum(item => item.Price * item.Count);

    public void Add(string name, decimal price, int count = 1)
    {
        ArgumentOutOfRangeException.ThrowIfNegativeOrZero(count);
        items.Add(new Item(name, price, count));
    }

    public async Task<string> PayAsync(Func<decimal, Task> pay)
    {
        if (items.Count == 0) throw new EmptyBasketException();
        await pay(Total);
        return string.Join(", ", items.OrderBy(item => item.Name).Select(item => $"{item.Count} {item.Name}"));
    }
}

using Microsoft.EntityFrameworkCore;

namespace Shop;

public record Wanted(int Product, int Count);
public record NewOrder(string Customer, Wanted[] Lines);
public record Bill(int Id, string Customer, int Cents, string[] Lines);

public static class OrderEndpoints
{
    public static void MapOrders(this WebApplication app)
    {
        app.MapPost("/orders", async (NewOrder wanted, OrderService orders) => Results.Ok(await orders.Place(wanted)));
        app.MapGet("/orders/{id:int}", async (int id, OrderService orders) =>
            await orders.Find(id) is { } bill ? Results.Ok(bill) : Results.NotFound());
        app.MapGet("/report", async (OrderService orders) => await orders.Report());
    }
}

public class OrderService(ShopContext context, Pricing pricing)
{
    public async Task<Bill> Place(NewOrder wanted)
    {
        var order = new Order { Customer = wanted.Customer };
        foreach (var line in wanted.Lines)
        {
            var product = await context.Products.FindAsync(line.Product) ?? throw new ArgumentException("no such product");
            order.Lines.Add(new OrderLine { Product = product, ProductId = product.Id, Count = line.Count });
        }
        order.Cents = pricing.Total(order);
        context.Orders.Add(order);
        await context.SaveChangesAsync();
        return BillOf(order);
    }

    public async Task<Bill?> Find(int id)
    {
        var order = await context.Orders.AsNoTracking().Include(order => order.Lines).ThenInclude(line => line.Product)
            .FirstOrDefaultAsync(order => order.Id == id);
        return order is null ? null : BillOf(order);
    }

    // A query for the orders, and one more for each of them.
    public async Task<Dictionary<string, int>> Report()
    {
        var spent = new Dictionary<string, int>();
        foreach (var id in await context.Orders.OrderByDescending(order => order.Id).Take(20).Select(order => order.Id).ToListAsync())
        {
            var order = await context.Orders.AsNoTracking().Include(order => order.Lines).FirstAsync(order => order.Id == id);
            spent[order.Customer] = spent.GetValueOrDefault(order.Customer) + order.Lines.Sum(line => line.Count);
        }
        return spent;
    }

    static Bill BillOf(Order order) => new(order.Id, order.Customer, order.Cents, order.Lines.Select(LineText).ToArray());

    static string LineText(OrderLine line) => $"{line.Count} x {line.Product!.Name}";
}

public class Pricing
{
    public int Total(Order order)
    {
        int best = int.MaxValue;
        for (int voucher = 0; voucher < 2000; voucher++) best = Math.Min(best, With(order, voucher)); // the loop
        return best;
    }

    static int With(Order order, int voucher)
    {
        int cents = 0;
        foreach (var line in order.Lines) cents += line.Count * line.Product!.Cents;
        return cents - voucher % 97;
    }
}

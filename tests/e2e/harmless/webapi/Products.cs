using Microsoft.EntityFrameworkCore;

namespace Shop;

public record Found(int Id, string Name, string Price);

public static class ProductEndpoints
{
    public static void MapProducts(this WebApplication app)
    {
        app.MapGet("/products/{category}", async (string category, ShopContext context) =>
            (await context.Products.Where(product => product.Category == category).ToListAsync()).Select(ToFound));
        app.MapGet("/search", async (string text, ShopContext context) =>
            Rank(await context.Products.AsNoTracking().ToListAsync(), text));
    }

    static Found ToFound(Product product) => new(product.Id, product.Name, PriceText(product.Cents));

    static string PriceText(int cents) => $"{cents / 100}.{cents % 100:D2}";

    // Every product is looked at, where the database could have been asked.
    static List<Found> Rank(List<Product> products, string text) =>
        products.OrderBy(product => Distance(product.Name, text)).ThenBy(product => product.Id).Take(5).Select(ToFound).ToList();

    static int Distance(string left, string right)
    {
        var row = Enumerable.Range(0, right.Length + 1).ToArray();
        for (int i = 1; i <= left.Length; i++)
        {
            int diagonal = row[0];
            row[0] = i;
            for (int j = 1; j <= right.Length; j++)
            {
                int cost = left[i - 1] == right[j - 1] ? 0 : 1; // the inner loop
                (diagonal, row[j]) = (row[j], Math.Min(Math.Min(row[j], row[j - 1]) + 1, diagonal + cost));
            }
        }
        return row[right.Length];
    }
}

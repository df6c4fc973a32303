using Microsoft.EntityFrameworkCore;

namespace Shop;

public class Product
{
    public int Id { get; set; }
    public required string Name { get; set; }
    public required string Category { get; set; }
    public int Cents { get; set; }
}

public class Order
{
    public int Id { get; set; }
    public required string Customer { get; set; }
    public int Cents { get; set; }
    public List<OrderLine> Lines { get; set; } = [];
}

public class OrderLine
{
    public int Id { get; set; }
    public int OrderId { get; set; }
    public int ProductId { get; set; }
    public Product? Product { get; set; }
    public int Count { get; set; }
}

public class ShopContext(DbContextOptions<ShopContext> options) : DbContext(options)
{
    public DbSet<Product> Products => Set<Product>();
    public DbSet<Order> Orders => Set<Order>();

    protected override void OnModelCreating(ModelBuilder model)
    {
        model.Entity<Product>().HasIndex(product => product.Category);
        model.Entity<Order>().HasMany(order => order.Lines).WithOne().HasForeignKey(line => line.OrderId);
    }
}

public static class Seed
{
    static readonly string[] Categories = ["tea", "coffee", "cocoa", "spice"];

    public static void Fill(ShopContext context)
    {
        context.Database.EnsureCreated();
        for (int i = 0; i < 200; i++) context.Products.Add(Make(i));
        context.SaveChanges();
    }

    static Product Make(int i) =>
        new() { Name = $"{Categories[i % 4]} no. {i}", Category = Categories[i % 4], Cents = 100 + i * 7 % 900 };
}

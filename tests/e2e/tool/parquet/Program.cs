// Reads Parquet files with Parquet.Net, and writes what is in each as a line of JSON: its columns by their names, and
// the row groups that it has, with the ranges that they tell of each column.
using System.Text.Json;
using Parquet;
using Parquet.Schema;

foreach (string path in args) {
  using var file = File.OpenRead(path);
  await using ParquetReader reader = await ParquetReader.CreateAsync(file);
  DataField[] fields = reader.Schema.GetDataFields();
  var columns = fields.ToDictionary(field => field.Name, _ => new List<object?>());
  var groups = new List<object>();
  for (int at = 0; at < reader.RowGroupCount; at++) {
    using ParquetRowGroupReader group = reader.OpenRowGroupReader(at);
    foreach (DataField field in fields) {
      if (field.ClrType != typeof(long)) {
        var texts = new string?[group.RowCount];
        await group.ReadAsync(field, texts!);
        columns[field.Name].AddRange(texts);
      } else {
        var numbers = new long?[group.RowCount];
        await group.ReadAsync<long>(field, numbers);
        columns[field.Name].AddRange(numbers.Select(number => (object?)number));
      }
    }
    groups.Add(new { rows = group.RowCount, ranges = fields.ToDictionary(field => field.Name, field => Range(group, field)) });
  }
  Console.WriteLine(JsonSerializer.Serialize(new { path, groups, columns }));
}

static object? Range(ParquetRowGroupReader group, DataField field) {
  var known = group.GetStatistics(field);
  return known is null ? null : new { least = known.MinValue, most = known.MaxValue, nulls = known.NullCount };
}

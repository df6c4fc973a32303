namespace Exits;

static class Zero {
  public static int Of(int i) => i - 1;
}

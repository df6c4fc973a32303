<%@ Page Language="C#" %>
<script runat="server">
  static int Fib(int n) { return n < 2 ? n : Fib(n - 1) + Fib(n - 2); }
  void Page_Load(object sender, EventArgs e) { Answer.Text = Fib(15).ToString(); }
</script>
<html><body><asp:Label id="Answer" runat="server"/></body></html>

Imports System.Threading.Tasks

Public Class Work
    Public Property Label As String = "label"

    Public Shared Function Sign(value As Integer) As String
        If value < 0 Then
            Return "negative"
        ElseIf value = 0 Then
            Return "zero"
        End If
        Return "positive"
    End Function

    Public Shared Function Day(number As Integer) As String
        Select Case number
            Case 0
                Return "Sunday"
            Case 1, 2
                Return "early"
            Case 3 To 5
                Return "late"
            Case Else
                Return "Saturday"
        End Select
    End Function

    Public Shared Function Both(first As Boolean, second As Boolean) As Boolean
        Return first AndAlso second
    End Function

    Public Shared Async Function Later(value As Integer) As Task(Of Integer)
        Await Task.Yield()
        If value > 10 Then
            Return 10
        End If
        Return value
    End Function

    Public Shared Iterator Function Upto(count As Integer) As IEnumerable(Of Integer)
        For i = 1 To count
            Yield i
        Next
    End Function

    Public Shared Function Safe(text As String) As Integer
        Try
            Return Integer.Parse(text)
        Catch e As FormatException When text.Length > 0
            Return -1
        Finally
            Console.Out.Flush()
        End Try
    End Function

    Public Shared Function Filtered(values As IEnumerable(Of Integer), least As Integer) As List(Of Integer)
        Return values.Where(Function(value) value >= least).ToList()
    End Function

    Public Shared Function Name(person As Work) As String
        Return If(person?.Label, "nobody")
    End Function

    Public Shared Sub Never()
        Console.WriteLine("never")
    End Sub
End Class

// Types that Mono no longer has and xsp4 names, though it uses them for HTTPS only.
using System.IO;
using System.Security.Cryptography;
using System.Security.Cryptography.X509Certificates;

namespace Mono.Security.Protocol.Tls {
  public enum SecurityProtocolType { None }
  public delegate AsymmetricAlgorithm PrivateKeySelectionCallback(X509Certificate certificate, string host);
  public delegate bool CertificateValidationCallback(X509Certificate certificate, int[] errors);

  public abstract class SslStreamBase : MemoryStream {
    public int CipherStrength { get { return 0; } }
    public int KeyExchangeStrength { get { return 0; } }
  }

  public class SslServerStream : SslStreamBase {
    public SslServerStream(Stream stream, X509Certificate certificate, bool wantsClients, bool ownsStream) {}
    public PrivateKeySelectionCallback PrivateKeyCertSelectionDelegate { get; set; }
    public CertificateValidationCallback ClientCertValidationDelegate { get; set; }
  }
}

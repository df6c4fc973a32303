// Makes a copy of xsp4.exe that has the types of Tls.cs from Tls.dll: Retarget FROM TO. Its code stays.
using System;
using Mono.Cecil;

static class Retarget {
  static void Main(string[] args) {
    ModuleDefinition module = ModuleDefinition.ReadModule(args[0]);
    var tls = new AssemblyNameReference("Tls", new Version(0, 0, 0, 0));
    module.AssemblyReferences.Add(tls);
    foreach (TypeReference type in module.GetTypeReferences())
      if (type.Namespace == "Mono.Security.Protocol.Tls") type.Scope = tls;
    // Otherwise Mono would load the original by its name.
    module.Assembly.Name.PublicKey = null;
    module.Attributes &= ~ModuleAttributes.StrongNameSigned;
    module.Write(args[1]);
  }
}

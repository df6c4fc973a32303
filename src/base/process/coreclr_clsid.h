// The class id under which CoreCLR finds Oriel: CORECLR_PROFILER is set to it, braces and all.
#pragma once

#define ORIEL_CORECLR_CLSID "{9A8FE63E-FC98-40FE-9A46-932E43F8A19D}"

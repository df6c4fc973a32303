using System.Reflection;
using LightInject;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.DependencyInjection.Specification;

namespace Foreign;

// The container's specification again, of a container whose lines are here.
public class OtherContainer : DependencyInjectionSpecificationTests
{
    protected override IServiceProvider CreateServiceProvider(IServiceCollection services) => new Provider(services);

    class Provider : IServiceProvider, IServiceScopeFactory, IServiceScope, ISupportRequiredService, IServiceProviderIsService
    {
        readonly ServiceContainer container;
        readonly Scope scope;
        bool disposed;

        public Provider(IServiceCollection services)
        {
            container = new ServiceContainer(new ContainerOptions
            {
                EnablePropertyInjection = false,
                EnableCurrentScope = false,
                EnableOptionalArguments = true,
                DefaultServiceSelector = names => names.Order(StringComparer.Ordinal).Last(),
            });
            scope = container.BeginScope();
            container.RegisterInstance<IServiceScopeFactory>(this);
            container.RegisterInstance<IServiceProviderIsService>(this);
            container.Register<IServiceProvider>(factory => new Provider(container, (Scope)factory), new PerScopeLifetime());
            for (int i = 0; i < services.Count; ++i) Add(services[i], $"{i:d4}");
        }

        Provider(ServiceContainer container, Scope scope) => (this.container, this.scope) = (container, scope);

        void Add(ServiceDescriptor service, string name)
        {
            if (service.IsKeyedService) return;
            container.Register(new ServiceRegistration
            {
                ServiceType = service.ServiceType,
                ServiceName = name,
                ImplementingType = service.ImplementationType,
                Lifetime = service.ImplementationInstance != null ? null : service.Lifetime switch
                {
                    ServiceLifetime.Singleton => new OfRoot(scope),
                    ServiceLifetime.Scoped => new PerScopeLifetime(),
                    _ => new PerRequestLifeTime(),
                },
                Value = service.ImplementationInstance,
                FactoryExpression = service.ImplementationFactory == null ? null : Factory(service),
            });
        }

        static Delegate Factory(ServiceDescriptor service)
        {
            var make = typeof(Provider).GetMethod(nameof(Make), BindingFlags.NonPublic | BindingFlags.Static)!;
            return (Delegate)make.MakeGenericMethod(service.ServiceType).Invoke(null, [service.ImplementationFactory])!;
        }

        static Func<IServiceFactory, T> Make<T>(Func<IServiceProvider, object> make) =>
            factory => (T)make(factory.GetInstance<IServiceProvider>());

        public object? GetService(Type type) => scope.TryGetInstance(type);
        public object GetRequiredService(Type type) => scope.GetInstance(type);
        public IServiceScope CreateScope() => new Provider(container, container.BeginScope());
        public IServiceProvider ServiceProvider => this;
        public bool IsService(Type type) => !type.IsGenericTypeDefinition && container.CanGetInstance(type, "");

        // A scope disposes of the provider that it gave, which is this scope's.
        public void Dispose()
        {
            if (disposed) return;
            disposed = true;
            scope.Dispose();
        }
    }

    // Made once, and disposed of with the root, in the order of all that it made.
    class OfRoot(Scope root) : ILifetime, ICloneableLifeTime
    {
        object? made;

        public ILifetime Clone() => new OfRoot(root);

        public object GetInstance(Func<object> create, Scope scope)
        {
            lock (this)
            {
                if (made == null && (made = create()) is IDisposable disposable) root.TrackInstance(disposable);
                return made;
            }
        }
    }
}

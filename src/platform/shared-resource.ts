export interface ResourceOptions<Resource> {
  start(): Promise<Resource>
  /** Must not reject. Called once per started resource. */
  end(resource: Resource): Promise<void>
  /** Milliseconds after which an unused resource is ended; 0 ends it when its last user releases it. */
  idleMs: number
  maxUses?: number
  shouldReplace?(resource: Resource, uses: number): boolean
  /** Called for the first user; the returned function is called when the last user has released the resource. */
  onBusy?(resource: Resource): () => void
  stopped(): Error
}

export interface Lease<Resource> {
  readonly resource: Resource
  retire(): void
  release(): void
}

/** Starts a resource on demand, shares it, and ends it when it is idle. `stop` ends all instances, also lost ones. */
export class SharedResource<Resource> {
  readonly #options: ResourceOptions<Resource>
  readonly #instances = new Set<Instance<Resource>>()
  #current: Instance<Resource> | undefined
  #isStopped = false

  constructor(options: ResourceOptions<Resource>) {
    this.#options = options
  }

  async acquire(): Promise<Lease<Resource>> {
    const { maxUses = Number.POSITIVE_INFINITY, shouldReplace } = this.#options
    for (let attempt = 1; ; attempt += 1) {
      const instance = this.#current ?? this.#create()
      this.#current = instance
      const release = this.#addUser(instance)
      if (instance.uses >= maxUses) this.#retire(instance)
      const resource = await this.#waitForStart(instance, release)
      // A resource that was lost while this caller waited is replaced only once.
      if (instance.isLost && attempt === 1) {
        release()
        continue
      }
      if (shouldReplace?.(resource, instance.uses)) this.#retire(instance)
      return this.#createLease(instance, resource, release)
    }
  }

  async acquireAlone(): Promise<Lease<Resource>> {
    const instance = this.#create()
    instance.isRetired = true
    const release = this.#addUser(instance)
    return this.#createLease(instance, await this.#waitForStart(instance, release), release)
  }

  /** New callers get another resource. The failed one is ended after its last user. */
  markLost(resource: Resource): void {
    for (const instance of this.#instances) {
      if (instance.resource !== resource) continue
      instance.isLost = true
      this.#retire(instance)
      if (instance.users === 0) void this.#end(instance)
    }
  }

  stop(): Promise<void> {
    this.#isStopped = true
    return this.endAll()
  }

  /** Also ends resources that are in use or starting. The next caller starts a new one. */
  async endAll(): Promise<void> {
    const instances = [...this.#instances]
    for (const instance of instances) this.#retire(instance)
    await Promise.all(
      instances.map(async (instance) => {
        await instance.starting.catch(() => undefined)
        await this.#end(instance)
      }),
    )
  }

  #create(): Instance<Resource> {
    if (this.#isStopped) throw this.#options.stopped()
    const instance: Instance<Resource> = {
      starting: this.#options.start(),
      ...{ resource: undefined, users: 0, uses: 0, isRetired: false, isLost: false },
      ...{ idleTimer: undefined, onIdle: undefined, ending: undefined },
    }
    this.#instances.add(instance)
    instance.starting.then(
      (resource) => (instance.resource = resource),
      () => {
        this.#retire(instance)
        this.#instances.delete(instance)
      },
    )
    return instance
  }

  #addUser(instance: Instance<Resource>): () => void {
    clearTimeout(instance.idleTimer)
    instance.users += 1
    instance.uses += 1
    let isReleased = false
    return () => {
      if (isReleased) return
      isReleased = true
      this.#removeUser(instance)
    }
  }

  async #waitForStart(instance: Instance<Resource>, release: () => void): Promise<Resource> {
    try {
      const resource = await instance.starting
      if (this.#isStopped) throw this.#options.stopped()
      return resource
    } catch (thrown) {
      release()
      throw thrown
    }
  }

  #createLease(instance: Instance<Resource>, resource: Resource, release: () => void): Lease<Resource> {
    instance.onIdle ??= this.#options.onBusy?.(resource)
    return { resource, release, retire: () => this.#retire(instance) }
  }

  #removeUser(instance: Instance<Resource>): void {
    instance.users -= 1
    if (instance.users > 0 || instance.resource === undefined) return
    instance.onIdle?.()
    instance.onIdle = undefined
    if (this.#options.idleMs === 0) this.#retire(instance)
    if (instance.isRetired) void this.#end(instance)
    else instance.idleTimer = setTimeout(() => this.#endIdle(instance), this.#options.idleMs).unref()
  }

  #endIdle(instance: Instance<Resource>): void {
    if (instance.users > 0) return
    this.#retire(instance)
    void this.#end(instance)
  }

  #retire(instance: Instance<Resource>): void {
    instance.isRetired = true
    if (this.#current === instance) this.#current = undefined
  }

  async #end(instance: Instance<Resource>): Promise<void> {
    clearTimeout(instance.idleTimer)
    const { resource } = instance
    if (resource === undefined) return
    instance.ending ??= this.#options.end(resource).finally(() => this.#instances.delete(instance))
    await instance.ending
  }
}

interface Instance<Resource> {
  starting: Promise<Resource>
  resource: Resource | undefined
  users: number
  uses: number
  isRetired: boolean
  isLost: boolean
  idleTimer: NodeJS.Timeout | undefined
  onIdle: (() => void) | undefined
  ending: Promise<void> | undefined
}

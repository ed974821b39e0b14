import { setImmediate as nextTurn } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { limitConcurrency, type Permit, type PermitLimits, Permits } from './permits.ts'

/** Creates permits, and work that the test ends. `started` lists the work in the order in which it has started. */
function setup(limits: PermitLimits) {
  const permits = new Permits(limits)
  const started: string[] = []
  const running: { name: string; permit: Permit; end: PromiseWithResolvers<void> }[] = []
  const work = (name: string) => (permit: Permit) => {
    started.push(name)
    const end = Promise.withResolvers<void>()
    running.push({ name, permit, end })
    return end.promise
  }
  return {
    ...{ permits, started, running, work },
    /** Starts work. Each name is a team, followed by ` background` if no caller waits for the work. */
    async start(...names: string[]) {
      for (const name of names) {
        const [team = '', kind] = name.split(' ')
        void permits.run({ team, isBackground: kind === 'background' }, undefined, work(name))
      }
      await nextTurn()
    },
    async end(index = 0) {
      running.splice(index, 1)[0]?.end.resolve()
      await nextTurn()
    },
  }
}

const abortable = () => {
  const controller = new AbortController()
  return { signal: controller.signal, leave: () => controller.abort(new Error('gone')) }
}

describe('Permits.run', () => {
  it('starts as much work as there are permits, and the rest in the order of the calls', async () => {
    const { start, started, end } = setup({ count: 2 })
    await start('a', 'a background', 'a', 'a')
    expect(started).toEqual(['a', 'a background'])
    await end()
    await end()
    expect(started).toEqual(['a', 'a background', 'a', 'a'])
  })

  it('releases the permit if the work rejects or throws', async () => {
    const { permits } = setup({ count: 1 })
    const failing = [
      () => Promise.reject(new Error('rejected')),
      () => {
        throw new Error('thrown')
      },
    ]
    for (const work of failing) await expect(permits.run({ team: 'a' }, undefined, work)).rejects.toThrow()
    expect(permits.held()).toBe(0)
    expect(await permits.run({ team: 'a' }, undefined, async () => 'done')).toBe('done')
  })

  it('starts work immediately on a spare permit for a team that holds no permit', async () => {
    const { start, started } = setup({ count: 2, spare: 1 })
    await start('a', 'a', 'a', 'b', 'b')
    expect(started).toEqual(['a', 'a', 'b'])
  })

  it('prefers the team that holds the fewest permits', async () => {
    const { start, started, end } = setup({ count: 3 })
    await start('a', 'a', 'a', 'a', 'a', 'b', 'b')
    await end()
    await end()
    expect(started.slice(3)).toEqual(['b', 'a'])
  })

  it('serves teams with the same number of permits by round robin', async () => {
    const { start, started, end } = setup({ count: 1 })
    await start('a', 'a', 'a', 'b', 'c')
    for (let count = 0; count < 4; count += 1) await end()
    expect(started).toEqual(['a', 'a', 'b', 'c', 'a'])
  })

  it('prefers work that a caller waits for, within a team and between teams', async () => {
    const { start, started, end } = setup({ count: 1 })
    await start('a', 'b background', 'a background', 'a', 'c')
    for (let count = 0; count < 4; count += 1) await end()
    expect(started).toEqual(['a', 'a', 'c', 'b background', 'a background'])
  })

  it('runs at most perTeam pieces of work of a team', async () => {
    const { start, started, end } = setup({ count: Number.POSITIVE_INFINITY, perTeam: 1 })
    await start('a', 'a', 'b')
    expect(started).toEqual(['a', 'b'])
    await end()
    expect(started).toEqual(['a', 'b', 'a'])
  })

  it('rejects on an abort while the work waits, and loses no permit', async () => {
    const { permits, start, started, end, work } = setup({ count: 1 })
    await start('a')
    const { signal, leave } = abortable()
    const waiting = permits.run({ team: 'b' }, signal, work('b'))
    await start('c')
    leave()
    await expect(waiting).rejects.toThrow('gone')
    await expect(permits.run({ team: 'b' }, signal, work('b'))).rejects.toThrow('gone')
    await end()
    expect(started).toEqual(['a', 'c'])
    await end()
    expect([permits.held(), permits.waiting()]).toEqual([0, 0])
  })

  it('rejects on an abort between the grant and the start of the work', async () => {
    const { permits, start, running, work, started } = setup({ count: 1 })
    await start('a')
    const { signal, leave } = abortable()
    const granted = permits.run({ team: 'b' }, signal, work('b'))
    running[0]?.end.promise.then(leave)
    running[0]?.end.resolve()
    await expect(granted).rejects.toThrow('gone')
    expect([started, permits.held()]).toEqual([['a'], 0])
  })

  it('keeps the permit of work whose signal aborts after its start', async () => {
    const { permits, work, end } = setup({ count: 1 })
    const { signal, leave } = abortable()
    const running = permits.run({ team: 'a' }, signal, work('a'))
    await nextTurn()
    leave()
    expect(permits.held()).toBe(1)
    await end()
    await running
    expect(permits.held()).toBe(0)
  })

  it('gives a released permit to waiting work, not to a new call', async () => {
    const { permits, start, started, end } = setup({ count: 1 })
    await start('a', 'b')
    expect(permits.tryRun({ team: 'c' }, async () => started.push('c'))).toBeUndefined()
    await end()
    expect(permits.tryRun({ team: 'c' }, async () => started.push('c'))).toBeUndefined()
    expect(started).toEqual(['a', 'b'])
  })
})

describe('Permits.tryRun', () => {
  it('runs the work if a permit is free for the team, and releases the permit if the work fails', async () => {
    const { permits } = setup({ count: 1, spare: 1 })
    const end = Promise.withResolvers<void>()
    const ownRun = permits.tryRun({ team: 'a' }, () => end.promise)
    expect(permits.tryRun({ team: 'a' }, () => end.promise)).toBeUndefined()
    const otherRun = permits.tryRun({ team: 'b' }, () => end.promise)
    expect([permits.heldBy('a'), permits.heldBy('b'), permits.held()]).toEqual([1, 1, 2])
    end.reject(new Error('failed'))
    await expect(ownRun).rejects.toThrow('failed')
    await expect(otherRun).rejects.toThrow('failed')
    expect(permits.held()).toBe(0)
  })

  it('uses the current number of permits if it varies', () => {
    let count = 1
    const { permits } = setup({ count: () => count })
    const run = () => permits.tryRun({ team: 'a' }, () => new Promise(() => {}))
    expect([run() !== undefined, run() !== undefined]).toEqual([true, false])
    count = 2
    expect(run()).toBeDefined()
  })

  it('grants spare permits to teams that hold none, even if another team holds more permits than there are now', () => {
    let count = 20
    const { permits } = setup({ count: () => count, spare: 2 })
    const run = (team: string) => permits.tryRun({ team }, () => new Promise(() => {})) !== undefined
    for (let index = 0; index < 20; index += 1) run('a')
    count = 1
    expect(['a', 'b', 'c', 'b', 'd'].map(run)).toEqual([false, true, true, false, false])
  })
})

describe('Permits.runWithFree', () => {
  const sizes = (permits: Permits, teams: string[], maxPerTeam = 64) =>
    permits.runWithFree({ teams, maxPerTeam }, async (batches) =>
      Object.fromEntries([...batches].map(([team, batch]) => [team, batch.size()])),
    )

  it('shares the free permits between the teams, and releases unused ones', async () => {
    const { permits } = setup({ count: 5 })
    expect(await sizes(permits, ['a', 'b'])).toEqual({ a: 3, b: 2 })
    expect(permits.held()).toBe(0)
    expect(await sizes(permits, [])).toEqual({})
  })

  it('prefers the team that holds the fewest, and grants spare permits to teams that hold none', async () => {
    const { permits, start } = setup({ count: 4, spare: 2 })
    await start('a', 'a', 'a')
    expect(await sizes(permits, ['a', 'b'])).toEqual({ b: 1 })
    await start('a')
    expect(await sizes(permits, ['a', 'b', 'c', 'd'])).toEqual({ b: 1, c: 1 })
  })

  it('takes at most maxPerTeam permits for a team', async () => {
    expect(await sizes(new Permits({ count: 200 }), ['a', 'b'], 64)).toEqual({ a: 64, b: 64 })
  })

  it('holds a permit until the work that uses it has ended, even after the callback has returned', async () => {
    const { permits } = setup({ count: 3 })
    const end = Promise.withResolvers<void>()
    const running = await permits.runWithFree({ teams: ['a'], maxPerTeam: 3 }, async (batches) => {
      const batch = batches.get('a')
      return [batch?.run(() => end.promise), batch?.run(() => end.promise)]
    })
    expect(permits.heldBy('a')).toBe(2)
    end.resolve()
    await Promise.all(running)
    expect(permits.held()).toBe(0)
  })

  it('releases the permits of every team if the work throws', async () => {
    const { permits } = setup({ count: 4 })
    const failing = permits.runWithFree({ teams: ['a', 'b', 'c'], maxPerTeam: 4 }, async (batches) => {
      for (const team of batches.keys()) throw new Error(`the claim of ${team} fails`)
    })
    await expect(failing).rejects.toThrow('the claim of a fails')
    expect(permits.held()).toBe(0)
  })

  it('rejects work with a permit that was released', async () => {
    const { permits } = setup({ count: 1 })
    const batch = await permits.runWithFree({ teams: ['a'], maxPerTeam: 1 }, async (batches) =>
      batches.get('a'),
    )
    await expect(batch?.run(async () => undefined)).rejects.toThrow(RangeError)
    expect(permits.held()).toBe(0)
  })
})

describe('Permit.lendDuring', () => {
  it('lets other work run meanwhile, and waits in the queue to take a permit again', async () => {
    const { permits, start, started, running, end } = setup({ count: 1, lent: 1 })
    await start('a', 'b')
    const pending = Promise.withResolvers<string>()
    let result = ''
    const lent = running[0]?.permit.lendDuring(pending.promise).then((value) => {
      result = value
    })
    await nextTurn()
    expect(started).toEqual(['a', 'b'])
    pending.resolve('over')
    await nextTurn()
    expect(result).toBe('')
    await end(1)
    await lent
    expect([result, permits.held()]).toEqual(['over', 1])
    await end()
    expect(permits.held()).toBe(0)
  })

  it('keeps the permit if too many are lent', async () => {
    const { permits, start, running } = setup({ count: 2, lent: 1 })
    await start('a', 'a')
    const pending = new Promise(() => {})
    for (const { permit } of running) void permit.lendDuring(pending)
    expect(permits.held()).toBe(1)
  })

  it('holds no permit if the work ends meanwhile', async () => {
    const { permits, start, running, end } = setup({ count: 1, lent: 1 })
    await start('a', 'b')
    const lent = running[0]?.permit.lendDuring(Promise.resolve())
    await nextTurn()
    await end()
    await end()
    await lent
    expect([permits.held(), permits.waiting()]).toEqual([0, 0])
  })

  it('ends early if the work regains its permit', async () => {
    const { permits, start, running, end } = setup({ count: 1, lent: 1 })
    await start('a')
    const pending = Promise.withResolvers<void>()
    const lent = running[0]?.permit.lendDuring(pending.promise)
    expect(permits.held()).toBe(0)
    await running[0]?.permit.regain()
    expect(permits.held()).toBe(1)
    pending.resolve()
    await lent
    await end()
    expect(permits.held()).toBe(0)
  })
})

describe('limitConcurrency', () => {
  it('runs work one after the other in the order of the calls', async () => {
    const run = limitConcurrency(1)
    const order: string[] = []
    const work = (name: string) => async () => {
      order.push(`${name} begins`)
      await nextTurn()
      order.push(`${name} ends`)
      return name
    }
    expect(await Promise.all([run(work('a')), run(work('b'))])).toEqual(['a', 'b'])
    expect(order).toEqual(['a begins', 'a ends', 'b begins', 'b ends'])
  })
})

describe('Permits under random load', () => {
  it('releases all permits after work of many teams that succeeds, fails, aborts and lends', async () => {
    const permits = new Permits({ count: 3, spare: 2, lent: 2 })
    let [active, maxActive, seed] = [0, 0, 1]
    const random = (below: number) => {
      seed = (seed * 48_271) % 2_147_483_647
      return seed % below
    }
    const work = async (permit: Permit) => {
      active += 1
      maxActive = Math.max(maxActive, active)
      if (random(3) === 0) {
        active -= 1
        await permit.lendDuring(nextTurn())
        active += 1
      } else await nextTurn()
      active -= 1
      if (random(4) === 0) throw new Error('failed')
    }
    const runs = Array.from({ length: 2000 }, (_, index) => {
      const { signal, leave } = abortable()
      const owner = { team: `team ${random(20)}`, isBackground: random(2) === 0 }
      if (random(5) === 0) setTimeout(leave, random(20))
      if (index % 3 === 0) return permits.tryRun(owner, () => nextTurn())
      return permits.run(owner, signal, work)
    })
    await Promise.allSettled(runs)
    expect([permits.held(), permits.waiting(), active]).toEqual([0, 0, 0])
    // Three permits and two spare ones.
    expect(maxActive).toBeLessThanOrEqual(5)
  })
})

import { describe, expect, it } from 'vitest'
import { createRobotsCheck } from './check-robots.ts'

const rules = (comparisons: number) => ({ check: () => ({ isAllowed: true, comparisons }) })

describe('the check of many links against robots.txt', () => {
  it('allows every link if robots.txt is ignored', async () => {
    const check = createRobotsCheck(undefined, new AbortController().signal)
    expect(await check.allows('/a')).toBe(true)
  })

  it('forbids the links that are left when comparisons reach their bound', async () => {
    const check = createRobotsCheck(rules(400_000), new AbortController().signal)
    const allowed = []
    for (let link = 0; link < 5; link += 1) allowed.push(await check.allows(`/${link}`))
    expect(allowed).toEqual([true, true, true, false, false])
    expect(check.isExhausted()).toBe(true)
  })

  it('lets other work of the event loop run and ends when the job is cancelled', async () => {
    const cancel = new AbortController()
    const slow = {
      check() {
        for (const until = performance.now() + 2; performance.now() < until; );
        return { isAllowed: true, comparisons: 0 }
      },
    }
    const check = createRobotsCheck(slow, cancel.signal)
    setImmediate(() => cancel.abort(new Error('cancelled')))
    const all = async () => {
      for (let link = 0; link < 10_000; link += 1) await check.allows(`/${link}`)
    }
    await expect(all()).rejects.toThrow('cancelled')
  })
})

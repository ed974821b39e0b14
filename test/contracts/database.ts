import { expect, it } from 'vitest'
import type { Database } from '../../src/platform/ports/database.ts'

export interface ContractTables {
  counters: { name: string; value: number }
}

/** Declares the tests that every implementation of the port must pass. The caller creates the table `counters`. */
export function databaseContract(open: Open): void {
  numberContract(open)
  textContract(open)
  transactionContract(open)
  lockContract(open)
  channelContract(open)
  topicContract(open)
}

type Open = () => Database<ContractTables>

function textContract(open: Open): void {
  it('stores text with U+0000 as U+FFFD, and finds it by either', async () => {
    await insert(open, 'nul \u0000 in text', 7)
    expect(await counter(open, 'nul \u0000 in text')).toBe(7)
    expect(await counter(open, 'nul \ufffd in text')).toBe(7)
  })
}

function numberContract(open: Open): void {
  it('returns large integers as numbers', async () => {
    await insert(open, 'large', 1_900_000_000_000)
    expect(await counter(open, 'large')).toBe(1_900_000_000_000)
  })

  it('returns counts as numbers', async () => {
    const { count } = await open()
      .query.selectFrom('counters')
      .select(({ fn }) => fn.countAll<number>().as('count'))
      .executeTakeFirstOrThrow()
    expect(typeof count).toBe('number')
  })

  it('returns its size in bytes', async () => {
    await insert(open, 'room', 1)
    expect(await open().size()).toBeGreaterThan(4096)
  })
}

function transactionContract(open: Open): void {
  it('rolls back a transaction that throws', async () => {
    const failing = open().transaction(async (transaction) => {
      await transaction.insertInto('counters').values({ name: 'undone', value: 1 }).execute()
      throw new Error('on purpose')
    })
    await expect(failing).rejects.toThrow('on purpose')
    expect(await counter(open, 'undone')).toBeUndefined()
  })
}

function lockContract(open: Open): void {
  it('loses no update if many transactions lock the same row', async () => {
    await insert(open, 'raced', 0)
    const increments = Array.from({ length: 20 }, () =>
      open().transaction(async (transaction) => {
        const select = transaction.selectFrom('counters').select('value').where('name', '=', 'raced')
        const { value } = await open().lock(select).executeTakeFirstOrThrow()
        await transaction
          .updateTable('counters')
          .set({ value: value + 1 })
          .where('name', '=', 'raced')
          .execute()
      }),
    )
    await Promise.all(increments)
    expect(await counter(open, 'raced')).toBe(20)
  })

  it('assigns each row to one of several claimers', async () => {
    for (let index = 0; index < 12; index += 1) await insert(open, `claim-${index}`, 0)
    const claim = () =>
      open().transaction(async (transaction) => {
        const free = transaction
          .selectFrom('counters')
          .select('name')
          .where('name', 'like', 'claim-%')
          .where('value', '=', 0)
          .limit(4)
        const names = (await open().skipLocked(free).execute()).map((row) => row.name)
        await transaction.updateTable('counters').set({ value: 1 }).where('name', 'in', names).execute()
        return names
      })
    const claimed = (await Promise.all([claim(), claim(), claim()])).flat()
    expect(new Set(claimed).size).toBe(claimed.length)
    expect(claimed).toHaveLength(12)
  })
}

function channelContract(open: Open): void {
  it('wakes only the listeners on the channel', async () => {
    const received = Promise.withResolvers<string>()
    const unlisten = open().listen('slot', received.resolve)
    const stop = open().listen('queued', () => received.reject(new Error('the wrong channel was woken')))
    // A listener that has just connected may miss the first message. The port allows that.
    const repeating = setInterval(() => open().notify('slot', 'with a message'), 20)
    expect(await received.promise).toBe('with a message')
    clearInterval(repeating)
    unlisten()
    stop()
  })
}

function topicContract(open: Open): void {
  it('sends to the subscribers of a topic, and creates no message without subscribers', async () => {
    const received = Promise.withResolvers<string>()
    const unsubscribe = await open().subscribe('wanted', received.resolve)
    open().publish('unwanted', () => expect.fail('a message was made that nobody wants'))
    open().publish('wanted', () => 'with a message')
    expect(await received.promise).toBe('with a message')
    unsubscribe()
  })
}

function insert(open: Open, name: string, value: number) {
  return open().query.insertInto('counters').values({ name, value }).execute()
}

async function counter(open: Open, name: string): Promise<number | undefined> {
  const row = await open()
    .query.selectFrom('counters')
    .select('value')
    .where('name', '=', name)
    .executeTakeFirst()
  return row?.value
}

import { describe, expect, it } from 'vitest'
import { valueChanges, writeValues } from './value-changes.ts'

const written = async (
  values: Record<string, unknown>,
  fields: string[] = Object.keys(values),
  added: Record<string, unknown> = {},
) => String(await writeValues({ fields, values: JSON.stringify(values), added }))

const nothing = { changes: {}, isChanged: false, lost: [], found: [], onlyBefore: [], onlyNow: [] }

describe('values of two versions', () => {
  it('are the same where nothing differs, whatever the order in objects', async () => {
    const before = await written({ title: 'Lamp', sizes: [{ name: 's', width: 1 }] })
    const now = await written({ sizes: [{ width: 1, name: 's' }], title: 'Lamp' })
    expect(valueChanges(before, now)).toEqual(nothing)
  })

  it('differ field by field', async () => {
    const before = await written({ title: 'Lamp', 'offers.price': 10, tags: ['a', 'b'] })
    const now = await written({ title: 'Lamp', 'offers.price': 12, tags: ['a'] })
    expect(valueChanges(before, now)).toEqual({
      ...nothing,
      isChanged: true,
      changes: {
        'offers.price': { previous: 10, current: 12 },
        tags: { previous: ['a', 'b'], current: ['a'] },
      },
    })
  })

  it('are not changed by a field that one of them could not read, which is named', async () => {
    const fields = ['price', 'stock']
    const [before, now] = [await written({ price: 10 }, fields), await written({ stock: 3 }, fields)]
    expect(valueChanges(before, now)).toEqual({
      ...nothing,
      changes: { price: { previous: 10, current: null }, stock: { previous: null, current: 3 } },
      lost: ['price'],
      found: ['stock'],
    })
  })

  it('are compared in the fields that both were asked for', async () => {
    const before = await written({ price: 10, title: 'Lamp' }, ['price', 'title', 'weight'])
    const now = await written({ price: 12, colour: 'red' }, ['price', 'colour'])
    expect(valueChanges(before, now)).toEqual({
      ...nothing,
      isChanged: true,
      changes: { price: { previous: 10, current: 12 } },
      onlyBefore: ['title', 'weight'],
      onlyNow: ['colour'],
    })
  })

  it('have what was added to those that were read, and names of any kind', async () => {
    const before = await written(JSON.parse('{"__proto__":1}'), ['__proto__', 'city'], { city: 'Lund' })
    const now = await written(JSON.parse('{"__proto__":2}'), ['__proto__', 'city'], { city: 'Lund' })
    const { changes } = valueChanges(before, now)
    expect(Object.entries(changes)).toEqual([['__proto__', { previous: 1, current: 2 }]])
  })

  it('are kept as bytes where they were read as bytes', async () => {
    const values = new TextEncoder().encode('{"price":10}')
    const bytes = await writeValues({ fields: ['price'], values, added: {} })
    expect(new TextDecoder().decode(bytes as Uint8Array)).toBe(await written({ price: 10 }))
  })
})

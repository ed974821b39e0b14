import { describe, expect, it } from 'vitest'
import { privateFields, timedStepSchema } from './steps.ts'
import { startTrace } from './trace.ts'

describe('startTrace', () => {
  it('records steps with their times', () => {
    let now = 1000
    const trace = startTrace(() => now)
    now = 1012.4
    trace.note({ step: 'cache', result: 'miss' })
    expect(JSON.parse(trace.toJson({ includesPrivateFields: true }) ?? '')).toEqual([
      { at: 12, step: 'cache', result: 'miss' },
    ])
  })

  it('returns null if no step was recorded', () => {
    expect(startTrace().toJson({ includesPrivateFields: true })).toBeNull()
  })

  it('removes private fields if includesPrivateFields is false', () => {
    const trace = startTrace()
    trace.note({
      step: 'fetch',
      engine: 'http',
      proxy: 'basic',
      ms: 5,
      result: 'page',
      url: 'https://secret.example',
    })
    trace.note({ step: 'verdict', kind: 'blocked', reason: 'secret words' })
    trace.note({ step: 'write', ms: 1, warnings: ['secret selector'] })
    const json = trace.toJson({ includesPrivateFields: false }) ?? ''
    expect(json).not.toContain('secret')
    for (const step of JSON.parse(json)) expect(timedStepSchema.safeParse(step).error).toBeUndefined()
  })

  it('limits the number of steps and the length, and keeps the first and last steps', () => {
    const trace = startTrace()
    for (let index = 0; index < 5000; index += 1)
      trace.note({ step: 'action', index, type: 'click', ms: 1, result: 'done' })
    const steps = JSON.parse(trace.toJson({ includesPrivateFields: true }) ?? '')
    expect(steps).toHaveLength(101)
    expect([steps[0].index, steps.at(-1).index]).toEqual([0, 4999])
    expect(steps.find(({ step }: { step: string }) => step === 'omitted').steps).toBe(4900)
    const long = startTrace()
    for (let index = 0; index < 90; index += 1)
      long.note({ step: 'verdict', kind: 'good', reason: 'x'.repeat(1000) })
    expect(long.toJson({ includesPrivateFields: true })?.length).toBeLessThan(16_000)
  })

  it('shortens long texts, long lists and long texts in lists, and no other values', () => {
    const trace = startTrace(() => 0)
    trace.note({ step: 'verdict', kind: 'good', reason: 'x'.repeat(300) })
    trace.note({ step: 'verdict', kind: 'good', reason: 'x'.repeat(301) })
    trace.note({ step: 'write', ms: 1, warnings: Array(21).fill('w') })
    trace.note({ step: 'write', ms: 1, warnings: ['short', 'y'.repeat(301)] })
    expect(JSON.parse(trace.toJson({ includesPrivateFields: true }) ?? '')).toEqual([
      { at: 0, step: 'verdict', kind: 'good', reason: 'x'.repeat(300) },
      { at: 0, step: 'verdict', kind: 'good', reason: 'x'.repeat(300) },
      { at: 0, step: 'write', ms: 1, warnings: Array(20).fill('w') },
      { at: 0, step: 'write', ms: 1, warnings: ['short', 'y'.repeat(300)] },
    ])
  })

  it('has every field with text of the caller or the page in privateFields', () => {
    // Any other string without fixed values may come from the caller or from the page.
    const serviceFields = new Set(['engine', 'browserFor', 'code', 'phase', 'type', 'formats'])
    for (const option of timedStepSchema.options)
      for (const [name, schema] of Object.entries(option.shape)) {
        const type = JSON.stringify(schema.toJSONSchema())
        const containsText =
          type.includes('"type":"string"') && !type.includes('"enum"') && !type.includes('"const"')
        if (containsText && !serviceFields.has(name))
          expect([name, privateFields.has(name)]).toEqual([name, true])
      }
  })
})

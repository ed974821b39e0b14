import { expect, it } from 'vitest'
import { describeStep } from './describe-step.ts'

it('starts a step at its recorded time minus its duration', () => {
  const step = describeStep({ step: 'wait', at: 900, ms: 640, endedBy: 'at rest' })
  expect(step).toEqual({
    name: 'Browser waited',
    text: 'until the page was stable',
    tone: 'plain',
    from: 260,
    to: 900,
  })
  expect(describeStep({ step: 'queue', at: 5, waitedMs: 3000 })).toMatchObject({ from: 0, to: 5 })
})

it('describes the final URL of a fetch, its error and a blocking verdict', () => {
  const fetched = { step: 'fetch', at: 90, ms: 80, engine: 'http', proxy: 'basic' } as const
  expect(describeStep({ ...fetched, result: 'page', status: 200, url: 'https://a.test/new' })).toMatchObject({
    name: 'Fetched over HTTP',
    text: 'status 200, final URL: https://a.test/new',
    tone: 'good',
  })
  expect(
    describeStep({ ...fetched, result: 'error', code: 'SCRAPE_SITE_ERROR', phase: 'connect' }),
  ).toMatchObject({ text: 'SCRAPE_SITE_ERROR, during connect', tone: 'bad' })
  expect(describeStep({ ...fetched, result: 'page', status: 403 })).toMatchObject({ tone: 'bad' })
  expect(describeStep({ step: 'verdict', at: 95, kind: 'blocked', reason: 'a captcha' })).toMatchObject({
    text: 'blocked by the site: a captcha',
    tone: 'bad',
  })
})

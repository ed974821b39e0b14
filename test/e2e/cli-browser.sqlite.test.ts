import { afterAll, beforeAll, expect, it } from 'vitest'
import { winnow } from '../cli.ts'
import { page, sendHtml } from '../site/route.ts'
import { type Site, startSite } from '../site/site.ts'

let site: Site
beforeAll(async () => {
  site = await startSite({
    routes: { '/lamp': (exchange) => sendHtml(exchange, page('Desk lamp', '<p>A lamp.</p>')) },
  })
})
afterAll(() => site.stop())

it('opens a browser, runs code in it, lists and closes it', async () => {
  const opened = await winnow(['browser', 'open', '--ttl', '60', '--json'])
  expect(opened).toMatchObject({ code: 0, stderr: expect.stringContaining('winnow browser close') })
  const { id } = JSON.parse(opened.stdout)
  const code = `await page.goto('${site.url}/lamp'); console.log('went\\u001b[2J'); await page.title()`
  const ran = await winnow(['browser', 'run', id, '-'], { input: code })
  expect(ran).toMatchObject({ code: 0, stdout: 'went␛[2J\nDesk lamp\n' })
  const failed = await winnow(['browser', 'run', id, 'throw new Error("no lamp")'])
  expect(failed).toMatchObject({ code: 1, stderr: expect.stringContaining('no lamp') })
  const listed = await winnow(['browser', 'list', '--status', 'active'])
  expect(listed.stdout).toContain(`${id}\tactive`)
  const closed = await winnow(['browser', 'close', id])
  expect(closed).toMatchObject({ code: 0, stdout: expect.stringMatching(/status +destroyed/) })
})

it('continues in the browser of a scrape, and ends it', async () => {
  const { stdout } = await winnow(['scrape', `${site.url}/lamp`, '--json', '--max-age', '0'])
  const { scrapeId } = JSON.parse(stdout).metadata
  const ran = await winnow(['interact', scrapeId, 'await page.title()'])
  expect(ran).toMatchObject({ code: 0, stdout: 'Desk lamp\n', stderr: expect.stringContaining('--stop') })
  const stopped = await winnow(['interact', scrapeId, '--stop'])
  expect(stopped).toMatchObject({ code: 0, stdout: expect.stringMatching(/status +destroyed/) })
})

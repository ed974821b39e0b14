// Calls the service with the Firecrawl client: only the URL and the key change.
// The package firecrawl is among the development packages of this repository; elsewhere: npm install firecrawl
// WINNOW_KEY=fc-... node examples/firecrawl-client.mjs https://example.com
import { Firecrawl } from 'firecrawl'

const client = new Firecrawl({
  apiUrl: process.env.WINNOW_URL ?? 'http://127.0.0.1:3002',
  apiKey: process.env.WINNOW_KEY ?? '',
})
const args = process.argv.slice(2)
const urls = args.length > 0 ? args : ['https://example.com']

const page = await client.scrape(urls[0], { formats: ['markdown', 'links'] })
process.stdout.write(`${page.markdown}\n\nlinks: ${page.links.length}\n`)

const batch = await client.batchScrape(urls, { options: { formats: ['markdown'] }, pollInterval: 1 })
process.stdout.write(`batch ${batch.status}: ${batch.completed} of ${batch.total}\n`)

const { remainingCredits } = await client.getCreditUsage()
process.stdout.write(`${remainingCredits} credits left\n`)

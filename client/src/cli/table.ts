import type { Command, Option } from './command.ts'
import { anyOption, codeOptions, jobOptions, json, jsonLines, output, pageOptions } from './options.ts'
import { browserCommand, keysCommand } from './table-groups.ts'
import { crawlOptions, extractOptions, mapOptions, searchOptions } from './table-options.ts'

const urls = { name: 'URL', description: 'URLs of pages', isRepeated: true, isOptional: true } as const
const schema: Option = {
  name: 'schema',
  kind: 'text',
  value: 'JSON|FILE',
  completes: 'file',
  description: 'extract values for a JSON schema, in the format json',
}

/** All commands. Help, completion and docs/cli.md are generated from this table. */
export const commands: readonly Command[] = [
  {
    name: 'scrape',
    summary: 'fetch one page and print it as Markdown',
    arguments: [{ name: 'URL', description: 'URL of the page' }],
    options: [
      ...pageOptions(),
      schema,
      { name: 'question', kind: 'text', value: 'TEXT', description: 'answer a question from the page' },
      ...[output, json, ...anyOption],
    ],
    examples: [
      'winnow scrape https://example.com',
      'winnow scrape https://example.com -f links --json | jq .links',
    ],
    load: () => import('./commands/scrape.ts'),
  },
  {
    name: 'parse',
    summary: 'convert a file (PDF, office file, e-book, table, scan …) to Markdown',
    arguments: [
      { name: 'FILE', description: 'path of the file; - reads it from standard input', completes: 'file' },
    ],
    options: [
      ...pageOptions().filter(({ name }) => ['format', 'main-content', 'timeout'].includes(name)),
      schema,
      {
        name: 'name',
        kind: 'text',
        value: 'NAME',
        description: 'name of the file if it is read from standard input',
      },
      ...[output, json, ...anyOption],
    ],
    examples: ['winnow parse report.pdf -o report.md'],
    load: () => import('./commands/parse.ts'),
  },
  {
    name: 'search',
    summary: 'search the web and your crawled pages',
    arguments: [{ name: 'QUERY', description: 'search query', isRepeated: true }],
    options: [...searchOptions, output, json, ...anyOption],
    examples: ['winnow search "sqlite write ahead log" --limit 5'],
    load: () => import('./commands/search.ts'),
  },
  {
    name: 'map',
    summary: 'list the URLs of a site, one per line',
    arguments: [{ name: 'URL', description: 'URL of the site' }],
    options: [...mapOptions, output, json, ...anyOption],
    examples: ['winnow map https://example.com | winnow batch - -o pages/'],
    load: () => import('./commands/map.ts'),
  },
  {
    name: 'crawl',
    summary: 'scrape the pages of a site',
    arguments: [{ name: 'URL', description: 'start URL', isOptional: true }],
    options: [...crawlOptions, ...pageOptions('scrapeOptions.'), ...jobOptions, output, json, ...anyOption],
    examples: [
      'winnow crawl https://example.com --limit 300 -o pages/',
      'winnow crawl --resume ID -o pages/',
    ],
    load: () => import('./commands/crawl.ts'),
  },
  {
    name: 'batch',
    summary: 'scrape many pages',
    arguments: [{ ...urls, description: 'URLs of pages; - reads them from standard input, one per line' }],
    options: [
      {
        name: 'file',
        kind: 'text',
        value: 'FILE',
        completes: 'file',
        description: 'read URLs from a file, one per line',
      },
      {
        name: 'concurrency',
        kind: 'number',
        value: 'N',
        description: 'concurrent pages',
        field: 'maxConcurrency',
      },
      ...[...pageOptions(), ...jobOptions, output, jsonLines, ...anyOption],
    ],
    examples: ['winnow batch --file urls.txt -o pages/', 'winnow batch --file urls.txt -o pages.jsonl'],
    load: () => import('./commands/batch.ts'),
  },
  {
    name: 'watch',
    summary: 'resume watching a crawl, batch or extract',
    arguments: [{ name: 'ID', description: 'id of the job' }],
    options: [...jobOptions, output, jsonLines],
    examples: ['winnow watch ID -o pages/'],
    load: () => import('./commands/watch.ts'),
  },
  {
    name: 'extract',
    summary: 'extract values from several pages or a site for a schema',
    arguments: [{ ...urls, description: 'URLs of pages; a URL that ends in /* represents a site' }],
    options: [...extractOptions, ...jobOptions, output, json, ...anyOption],
    examples: ['winnow extract "https://example.com/*" --schema product.json'],
    load: () => import('./commands/extract.ts'),
  },
  {
    name: 'ask',
    summary: 'diagnose a call with an unexpected result',
    arguments: [{ name: 'QUESTION', description: 'the question', isRepeated: true }],
    options: [
      { name: 'job', kind: 'text', value: 'ID', description: 'id of the job in question', field: 'jobId' },
      {
        name: 'goal',
        kind: 'text',
        value: 'TEXT',
        description: 'goal of the task',
        field: 'rationale',
      },
      ...[json, ...anyOption],
    ],
    examples: ['winnow ask "why is the table missing?" --job ID'],
    load: () => import('./commands/ask.ts'),
  },
  browserCommand,
  {
    name: 'interact',
    summary: 'continue in the browser of an earlier scrape, with code or a prompt',
    arguments: [
      { name: 'SCRAPE_ID', description: 'the scrapeId of a scrape' },
      { name: 'CODE', description: 'code to run; - reads it from standard input', isOptional: true },
    ],
    options: [
      {
        name: 'prompt',
        short: 'p',
        kind: 'text',
        value: 'TEXT',
        description: 'task in natural language',
        field: 'prompt',
      },
      ...codeOptions,
      { name: 'stop', kind: 'flag', description: 'end the browser' },
      ...[json, ...anyOption],
    ],
    examples: ['winnow interact ID "await page.title()"', 'winnow interact ID --stop'],
    load: () => import('./commands/interact.ts'),
  },
  {
    name: 'activity',
    summary: 'list calls of the last 24 hours, newest first',
    options: [
      {
        name: 'endpoint',
        kind: 'text',
        value: 'NAME',
        description: 'only calls of this kind, such as crawl',
        field: 'endpoint',
      },
      {
        name: 'state',
        kind: 'text',
        value: 'NAME',
        choices: ['queued', 'running', 'completed', 'failed', 'cancelled'],
        description: 'only calls in this state',
        field: 'state',
      },
      {
        name: 'limit',
        short: 'n',
        kind: 'number',
        value: 'N',
        description: 'maximum number of calls (20)',
        field: 'limit',
      },
      {
        name: 'cursor',
        kind: 'text',
        value: 'TEXT',
        description: 'continue after the previous list',
        field: 'cursor',
      },
      json,
    ],
    load: () => import('./commands/activity.ts'),
  },
  keysCommand,
  {
    name: 'doctor',
    summary: 'check if the service is ready, and list missing features with their settings',
    options: [json],
    load: () => import('./commands/doctor.ts'),
  },
  {
    name: 'bench',
    summary: 'scrape one page many times and print rate and latencies',
    arguments: [{ name: 'URL', description: 'URL of the page' }],
    options: [
      {
        name: 'requests',
        short: 'n',
        kind: 'number',
        value: 'N',
        description: 'number of requests, 1 to 1000 (20)',
      },
      {
        name: 'concurrency',
        short: 'c',
        kind: 'number',
        value: 'N',
        description: 'concurrent requests, 1 to 32 (2)',
      },
      {
        name: 'cached',
        kind: 'flag',
        description: 'allow cached copies; by default every request fetches the page',
      },
      ...[json, ...anyOption],
    ],
    examples: ['winnow bench https://example.com -n 50 -c 4'],
    load: () => import('./commands/bench.ts'),
  },
  {
    name: 'mcp',
    summary: 'serve the Model Context Protocol on standard input and output',
    examples: ['winnow mcp'],
    load: () => import('./commands/mcp.ts'),
  },
  {
    name: 'completion',
    summary: 'print the completion script for a shell',
    arguments: [{ name: 'SHELL', description: 'bash, zsh or fish', choices: ['bash', 'zsh', 'fish'] }],
    examples: ['source <(winnow completion bash)'],
    load: () => import('./commands/completion.ts'),
  },
]

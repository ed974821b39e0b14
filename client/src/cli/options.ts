import type { Option } from './command.ts'

/** Options of every command. */
export const generalOptions: readonly Option[] = [
  {
    name: 'url',
    kind: 'text',
    value: 'ADDRESS',
    description: 'URL of the service (WINNOW_URL, else http://127.0.0.1:3002)',
  },
  {
    name: 'key',
    kind: 'text',
    value: 'KEY',
    description:
      'API key (WINNOW_API_KEY, else the key of this machine, which goes to loopback addresses only)',
  },
  { name: 'verbose', short: 'v', kind: 'flag', description: 'print the URL and the key that are used' },
  {
    name: 'quiet',
    short: 'q',
    kind: 'flag',
    description: 'print only results and errors, no progress',
  },
  { name: 'help', short: 'h', kind: 'flag', description: 'help for a command' },
  { name: 'version', short: 'V', kind: 'flag', description: 'the version' },
]

/** Flags of earlier versions. Every command accepts them with a warning, but does not suggest them. */
export const removedOptions: readonly Option[] = [
  { name: 'plain', kind: 'flag', description: 'Markdown is always printed as it is' },
]

export const json: Option = {
  name: 'json',
  kind: 'flag',
  description: 'print the response as JSON',
}

export const jsonLines: Option = {
  name: 'json',
  kind: 'flag',
  description: 'print pages as JSON, one object per line',
}

export const output: Option = {
  name: 'output',
  short: 'o',
  kind: 'text',
  value: 'PATH',
  completes: 'folder',
  description:
    'write to a file; a folder (or a path that ends in /) gets one file per page with YAML front matter',
}

/** Options for request fields that have no separate flag. */
export const anyOption: readonly Option[] = [
  {
    name: 'option',
    kind: 'list',
    value: 'NAME=JSON',
    description: 'any other option of the service, such as --option location.country=DE',
  },
  {
    name: 'options',
    kind: 'text',
    value: 'FILE',
    completes: 'file',
    description: 'options of the service from a JSON file; flags replace its values',
  },
]

/** Formats that require no options. Others are set with `--option formats=[…]`. */
const formats = [
  ...['markdown', 'html', 'rawHtml', 'rawBase64', 'links', 'images', 'screenshot', 'summary', 'json'],
  ...['blocks', 'branding', 'product', 'changeTracking', 'audio', 'video'],
] as const

/** Returns the options for scraping a page. A crawl has their fields in `scrapeOptions`. */
export function pageOptions(prefix = ''): readonly Option[] {
  const field = (name: string) => `${prefix}${name}`
  return [
    {
      name: 'format',
      short: 'f',
      kind: 'list',
      value: 'NAME',
      choices: formats,
      removedChoices: ['chunks', 'menu'],
      description: 'format to return; repeat it or use commas for several (markdown)',
      field: field('formats'),
    },
    {
      name: 'main-content',
      kind: 'flag',
      description: 'only the main content (on; --no-main-content for the complete page)',
      field: field('onlyMainContent'),
    },
    {
      name: 'include-tag',
      kind: 'list',
      value: 'SELECTOR',
      description: 'only these elements',
      field: field('includeTags'),
    },
    {
      name: 'exclude-tag',
      kind: 'list',
      value: 'SELECTOR',
      description: 'without these elements',
      field: field('excludeTags'),
    },
    {
      name: 'wait-for',
      kind: 'number',
      value: 'MS',
      description: 'wait this long before reading the page',
      field: field('waitFor'),
    },
    {
      name: 'max-age',
      kind: 'number',
      value: 'MS',
      description: 'use a cached copy younger than this; 0 always fetches',
      field: field('maxAge'),
    },
    {
      name: 'mobile',
      kind: 'flag',
      description: 'emulate a phone',
      field: field('mobile'),
    },
    {
      name: 'proxy',
      kind: 'text',
      value: 'NAME',
      choices: ['basic', 'enhanced', 'auto'],
      description: 'proxies to use',
      field: field('proxy'),
    },
    {
      name: 'header',
      kind: 'list',
      value: 'NAME: VALUE',
      description: 'HTTP header for the page',
    },
    {
      name: 'timeout',
      kind: 'number',
      value: 'MS',
      description: 'time limit for one page',
      field: field('timeout'),
    },
  ]
}

export const jobOptions: readonly Option[] = [
  {
    name: 'cancel-on-interrupt',
    kind: 'flag',
    description: 'Ctrl-C cancels the job; by default the job continues',
  },
]

export const codeOptions: readonly Option[] = [
  {
    name: 'language',
    short: 'l',
    kind: 'text',
    value: 'NAME',
    choices: ['node', 'python', 'bash'],
    description: 'language of the code (node)',
    field: 'language',
  },
  {
    name: 'file',
    kind: 'text',
    value: 'FILE',
    completes: 'file',
    description: 'code from a file; - reads it from standard input',
  },
  {
    name: 'timeout',
    kind: 'number',
    value: 'SECONDS',
    description: 'time limit for the code',
    field: 'timeout',
  },
]

import { lazy } from '../../platform/functions.ts'
import { jsonFile } from '../../platform/json/json.ts'

export type CdpParams = Record<string, unknown>

type MessageDecision =
  | { kind: 'pass'; params: CdpParams }
  | { kind: 'refuse'; reason: string }
  /** The client gets a successful response, and the entire session ends, not only the browser. */
  | { kind: 'close-browser' }

/** The security boundary is the sandbox. This list rejects calls that would fail or harm the session. */
export function checkMessage(method: string, params: CdpParams): MessageDecision {
  if (!allowedMethods().has(method)) {
    const domain = method.slice(0, Math.max(0, method.indexOf('.')))
    return refuse(reasons.get(method) ?? reasons.get(domain) ?? 'it is not on the list of allowed methods')
  }
  return rules[method]?.(params) ?? pass(params)
}

export function toAllowedUrl(address: unknown): string | undefined {
  if (typeof address !== 'string') return
  const url = URL.parse(address)
  if (!url) return
  // Other about: URLs are pages of the browser itself.
  if (url.protocol === 'about:') return url.pathname === 'blank' ? url.href : undefined
  // Documents of data: and blob: have no more rights than a blank page that a script fills.
  return ['http:', 'https:', 'data:', 'blob:'].includes(url.protocol) ? url.href : undefined
}

const pass = (params: CdpParams): MessageDecision => ({ kind: 'pass', params })
const refuse = (reason: string): MessageDecision => ({ kind: 'refuse', reason })

const rules: Record<string, (params: CdpParams) => MessageDecision> = {
  'Browser.close': () => ({ kind: 'close-browser' }),
  'Browser.setDownloadBehavior': ({ browserContextId, eventsEnabled }) =>
    pass({ behavior: 'deny', browserContextId, eventsEnabled }),
  'Page.setDownloadBehavior': () => pass({ behavior: 'deny' }),
  'Fetch.continueRequest': (params) => (params.url === undefined ? pass(params) : checkUrl(params)),
  'IO.read': (params) =>
    typeof params.handle === 'string' && !params.handle.startsWith('blob:')
      ? pass(params)
      : refuse('only streams that the browser opened for the caller can be read'),
  'Input.dispatchDragEvent': (params) => (containsFiles(params.data) ? refuse(noFilesReason) : pass(params)),
  'Network.loadNetworkResource': checkUrl,
  'Page.navigate': checkUrl,
  'Target.attachToTarget': (params) => (params.flatten === true ? pass(params) : refuse(flatOnlyReason)),
  'Target.createBrowserContext': (params) => {
    const forbidden = ['proxyServer', 'proxyBypassList', 'originsWithUniversalNetworkAccess'].find(
      (name) => params[name] !== undefined,
    )
    return forbidden
      ? refuse(`${forbidden} cannot be set, because pages must use the proxy of the service`)
      : pass(params)
  },
  'Target.createTarget': (params) => (params.url === '' ? pass(params) : checkUrl(params)),
  'Target.setAutoAttach': (params) =>
    params.flatten === true || params.autoAttach === false ? pass(params) : refuse(flatOnlyReason),
}

function checkUrl(params: CdpParams): MessageDecision {
  const url = toAllowedUrl(params.url)
  return url === undefined
    ? refuse('only http, https, data and blob addresses and about:blank can be opened')
    : pass({ ...params, url })
}

function containsFiles(data: unknown): boolean {
  if (typeof data !== 'object' || data === null || !('files' in data)) return false
  return !Array.isArray(data.files) || data.files.length > 0
}

const flatOnlyReason = 'only flat sessions are supported: set "flatten" to true'
const noFilesReason =
  "files would be paths inside the browser's own sandbox; set the files of an input by script instead"
const noDiskReason = "it would read or write files in the browser's own sandbox"
const reasons = new Map([
  ['Target.sendMessageToTarget', 'only flat sessions are supported: send "sessionId" beside "method"'],
  ['Target.exposeDevToolsProtocol', 'pages get no access to the protocol'],
  ['Target.setRemoteLocations', 'the browser does not connect to other browsers'],
  ['DOM.setFileInputFiles', noFilesReason],
  ['DOM.getFileInfo', noFilesReason],
  ['Browser.getBrowserCommandLine', 'the command line of the browser is not disclosed'],
  ['Browser.crash', 'close the session instead'],
  ['Browser.crashGpuProcess', 'close the session instead'],
  ['Page.crash', 'close the page instead'],
  ['Extensions', 'the browser does not accept extensions'],
  ['PWA', 'the browser does not install apps'],
  ['FileSystem', noDiskReason],
  ['Tracing', 'traces of the browser are not disclosed'],
  ['Memory', 'the memory of the browser is not disclosed'],
  ['HeapProfiler', 'the memory of the browser is not disclosed'],
  ['SystemInfo', 'the machine is not disclosed'],
  ['Tethering', 'the browser does not open ports'],
])

export type MethodNames = Record<string, string>

const methodsByDomain = jsonFile<MethodNames>(new URL('./allowed-methods.json', import.meta.url))

/** Methods that only affect the pages of the session; not those that affect files, ports, processes or switches. */
export const allowedMethods = lazy((): ReadonlySet<string> => {
  const domains = Object.entries(methodsByDomain())
  return new Set(domains.flatMap(([domain, names]) => names.split(' ').map((name) => `${domain}.${name}`)))
})

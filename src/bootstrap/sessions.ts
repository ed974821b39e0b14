import type { OpenBrowser } from '../features/sessions/browser.ts'
import type { Egress } from '../fetch/network/egress/egress.ts'
import { createSandboxedChromium } from '../platform/chromium/sandboxed.ts'
import { AppError } from '../platform/errors.ts'
import type { Log } from '../platform/log.ts'
import type { Sandbox } from '../platform/ports/sandbox.ts'
import { createBubblewrapSandbox, probeSandbox } from '../platform/sandbox/bubblewrap.ts'
import { findCodePrograms } from '../sessions/code/programs.ts'
import type { Settings } from './settings.ts'

export function createSessionBrowsers(settings: Settings, deps: { egress: Egress; log: Log }): OpenBrowser {
  const { chromiumPath } = settings
  const sandbox = openSandbox(settings)
  if (chromiumPath === undefined) return createUnavailable(() => new AppError('BROWSER_NOT_CONFIGURED'))
  if (!sandbox) return createUnavailable(() => createSandboxError('bwrap was not found'))
  const chromium = createSandboxedChromium(chromiumPath, {
    sandbox,
    log: deps.log,
    megabytes: settings.sessions.browserMegabytes,
  })
  const proxy = settings.proxies.basic?.replaceAll('{country}', 'us')
  const upstream = proxy === undefined ? undefined : new URL(proxy)
  const programs = findCodePrograms(settings)
  const { unread } = settings.sessions
  let probe: Promise<string | undefined> | undefined
  return {
    async check() {
      probe ??= probeSandbox(sandbox)
      const problem = await probe
      if (problem === undefined) return
      // The next request tests again, because the operator may have fixed the sandbox by then.
      probe = undefined
      throw createSandboxError(problem)
    },
    async open(hooks) {
      // Loaded with the first session, because many services never open one.
      const { openSession } = await import('../sessions/open-session.ts')
      const { serveCdpSocket } = await import('../sessions/cdp/socket.ts')
      const { code, driver, ended, close, cdp, live } = await openSession(
        { ...deps, chromium, sandbox, upstream, programs, limits: settings.sessions.code, unread },
        hooks,
      )
      return {
        ...{ code, driver, ended, close },
        serveCdp: (socket) => serveCdpSocket(cdp, socket, { limits: unread }),
        show: (socket, viewer) => live.attach(socket, viewer),
      }
    },
  }
}

export async function findSandboxProblem(settings: Settings): Promise<string | undefined> {
  const sandbox = openSandbox(settings)
  return sandbox ? probeSandbox(sandbox) : 'bwrap was not found'
}

function openSandbox(settings: Settings): Sandbox | undefined {
  const { bubblewrapPath, store, sessions } = settings
  if (bubblewrapPath === undefined) return undefined
  return createBubblewrapSandbox(bubblewrapPath, {
    node: process.execPath,
    hidden: [store.dataDir],
    groups: sessions.cgroup,
  })
}

const createSandboxError = (reason: string): AppError => new AppError('SANDBOX_NOT_CONFIGURED', { reason })

function createUnavailable(createError: () => AppError): OpenBrowser {
  return { check: () => Promise.reject(createError()), open: () => Promise.reject(createError()) }
}

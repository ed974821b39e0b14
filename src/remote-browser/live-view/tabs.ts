import type { CdpParams } from '../cdp/allow-list.ts'

export interface Tab {
  id: string
  url: string
  title: string
  isCrashed: boolean
}

export interface Tabs {
  /** Handles an event of the `Target` domain; true if something has changed. */
  notice(method: string, params: CdpParams): boolean
  /** A client brought a page to the front; true if it was not already there. */
  activate(id: string): boolean
  /** In the order in which they were opened. */
  list(): Tab[]
  /** The one that was opened or brought to the front last. */
  active(): Tab | undefined
}

/** The pages of a browser, as a tab bar. */
export function openTabs(): Tabs {
  const tabs = new Map<string, Tab>()
  /** The last is the active one; when it is closed, the one before it comes to the front again. */
  let order: string[] = []

  function activate(id: string): boolean {
    if (!tabs.has(id) || order.at(-1) === id) return false
    order = [...order.filter((other) => other !== id), id]
    return true
  }

  function update(params: CdpParams): boolean {
    const page = readPage(params.targetInfo)
    if (!page) return false
    const known = tabs.get(page.id)
    if (known?.url === page.url && known.title === page.title && !known.isCrashed) return false
    tabs.set(page.id, page)
    if (!known) activate(page.id)
    return true
  }

  function remove(id: string): boolean {
    order = order.filter((other) => other !== id)
    return tabs.delete(id)
  }

  function crash(id: string): boolean {
    const tab = tabs.get(id)
    if (tab) tabs.set(id, { ...tab, isCrashed: true })
    return tab !== undefined
  }

  return {
    notice(method, params) {
      if (method === 'Target.targetCreated' || method === 'Target.targetInfoChanged') return update(params)
      if (method === 'Target.targetDestroyed') return remove(String(params.targetId))
      if (method === 'Target.targetCrashed') return crash(String(params.targetId))
      return false
    },
    activate,
    list: () => [...tabs.values()],
    active: () => tabs.get(order.at(-1) ?? ''),
  }
}

function readPage(target: unknown): Tab | undefined {
  if (typeof target !== 'object' || target === null) return
  // The shape of `Target.TargetInfo`; a page with a subtype is one that is only being prepared.
  const { targetId, type, subtype, url, title } = target as Record<string, string | undefined>
  if (type !== 'page' || subtype || targetId === undefined) return
  return {
    id: targetId,
    url: (url ?? '').slice(0, 2000),
    title: (title ?? '').slice(0, 200),
    isCrashed: false,
  }
}

export interface ActivityFilters {
  endpoint: string
  state: string
  text: string
}

const kindNames = {
  scrape: 'Scrape',
  crawl: 'Crawl',
  batch_scrape: 'Batch',
  map: 'Map',
  search: 'Search',
  extract: 'Extract',
  agent: 'Agent',
  parse: 'Parse',
  browser: 'Browser',
  interact: 'Interact',
  research: 'Research',
  developer_search: 'Developer search',
}

const states = ['queued', 'running', 'completed', 'failed', 'cancelled']

export const kindName = (kind: string) => (kindNames as Record<string, string>)[kind] ?? kind

/** Filter form of the call list. */
export function CallFilters({
  filters,
  onChange,
}: {
  filters: ActivityFilters
  onChange: (filters: ActivityFilters) => void
}) {
  return (
    <search className="call-filters">
      <label>
        Search
        <input
          type="search"
          placeholder="URL or id"
          value={filters.text}
          onChange={(event) => onChange({ ...filters, text: event.target.value })}
        />
      </label>
      <label>
        Kind
        <select
          value={filters.endpoint}
          onChange={(event) => onChange({ ...filters, endpoint: event.target.value })}
        >
          <option value="">all kinds</option>
          {Object.entries(kindNames).map(([kind, name]) => (
            <option key={kind} value={kind}>
              {name}
            </option>
          ))}
        </select>
      </label>
      <label>
        State
        <select
          value={filters.state}
          onChange={(event) => onChange({ ...filters, state: event.target.value })}
        >
          <option value="">all states</option>
          {states.map((state) => (
            <option key={state}>{state}</option>
          ))}
        </select>
      </label>
    </search>
  )
}

import { Link, Outlet, useLocation } from '@tanstack/react-router'
import { setKey } from '../api/key.ts'
import { Icon, type IconName } from '../ui/icon.tsx'
import { setTheme, type Theme, useTheme } from './theme.ts'

const places: { to: string; under?: string; name: string; icon: IconName }[] = [
  { to: '/playground/scrape', under: '/playground/', name: 'Playground', icon: 'play' },
  { to: '/work', name: 'Work', icon: 'work' },
  { to: '/activity', name: 'Activity', icon: 'activity' },
  { to: '/browsers', name: 'Browsers', icon: 'browser' },
  { to: '/watch', name: 'Watch', icon: 'watch' },
  { to: '/run', name: 'Run it', icon: 'settings' },
]

/** The frame around every page. */
export function Shell() {
  const path = useLocation({ select: ({ pathname }) => pathname })
  return (
    <div className="shell">
      <a className="skip" href="#content">
        Skip to content
      </a>
      <header className="side">
        <Link to="/" className="brand">
          <Icon name="brand" /> Winnow
        </Link>
        <nav aria-label="Main">
          {places.map(({ to, under = to, name, icon }) => (
            <Link
              key={to}
              to={to}
              className={path.startsWith(under) ? 'place active' : 'place'}
              activeOptions={{ exact: false }}
            >
              <Icon name={icon} /> <span>{name}</span>
            </Link>
          ))}
        </nav>
        <footer className="foot">
          <a href="/docs" className="place">
            <Icon name="book" /> <span>Reference</span>
          </a>
          <ThemeChoice />
          <button type="button" className="place" onClick={() => setKey(undefined)}>
            <Icon name="leave" /> <span>Forget the key</span>
          </button>
        </footer>
      </header>
      <main id="content" tabIndex={-1}>
        <Outlet />
      </main>
    </div>
  )
}

const themes: Theme[] = ['system', 'light', 'dark']

function ThemeChoice() {
  const theme = useTheme()
  return (
    <label className="place theme">
      <Icon name="theme" />
      <span className="hidden">Theme</span>
      <select value={theme} onChange={(event) => setTheme(event.target.value as Theme)}>
        {themes.map((one) => (
          <option key={one}>{one}</option>
        ))}
      </select>
    </label>
  )
}

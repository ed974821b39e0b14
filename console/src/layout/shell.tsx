import { Link, Outlet, useLocation } from '@tanstack/react-router'
import { useCallback, useState } from 'react'
import { setKey } from '../api/key.ts'
import { queries } from '../api/queries.ts'
import { Button } from '../ui/button.tsx'
import { Icon, type IconName } from '../ui/icon.tsx'
import { ThemeChoice } from './theme-choice.tsx'
import { usePageFocus } from './use-page-focus.ts'
import './shell.css'

/** Navigation entries. An entry is active if the first segment of its path is that of the current URL. */
const navItems: { to: string; name: string; icon: IconName }[] = [
  { to: '/playground/scrape', name: 'Playground', icon: 'play' },
  { to: '/jobs', name: 'Jobs', icon: 'jobs' },
  { to: '/activity', name: 'Activity', icon: 'activity' },
  { to: '/browsers', name: 'Browser sessions', icon: 'browser' },
  { to: '/tracked-pages', name: 'Tracked pages', icon: 'watch' },
  { to: '/webhooks', name: 'Webhooks', icon: 'send' },
  { to: '/settings', name: 'Settings', icon: 'settings' },
]

/** Layout around every page. In a narrow window, the navigation is a collapsible menu. */
export function Shell() {
  const [isOpen, setOpen] = useState(false)
  const closeMenu = useCallback(() => setOpen(false), [])
  usePageFocus(closeMenu)
  return (
    <div className="shell">
      <a className="skip" href="#content">
        Skip to content
      </a>
      <header className="side">
        <div className="side-top">
          <Link to="/" className="brand">
            <Icon name="brand" /> Winnow
          </Link>
          <div className="menu-button">
            <Button
              icon="menu"
              aria-expanded={isOpen}
              aria-controls="navigation"
              onClick={() => setOpen(!isOpen)}
            >
              Menu
            </Button>
          </div>
        </div>
        <div id="navigation" className="nav-menu" data-open={isOpen}>
          <NavLinks />
          <NavFooter />
        </div>
      </header>
      <main id="content" tabIndex={-1}>
        <Outlet />
      </main>
    </div>
  )
}

function NavLinks() {
  const currentSegment = useLocation({ select: ({ pathname }) => pathname.split('/')[1] })
  return (
    <nav aria-label="Main">
      {navItems.map(({ to, name, icon }) => (
        <Link
          key={to}
          to={to}
          className={to.split('/')[1] === currentSegment ? 'nav-item active' : 'nav-item'}
          aria-current={to.split('/')[1] === currentSegment ? 'page' : undefined}
        >
          <Icon name={icon} /> <span>{name}</span>
        </Link>
      ))}
    </nav>
  )
}

function NavFooter() {
  return (
    <div className="foot">
      <a href="/docs" className="nav-item">
        <Icon name="book" /> <span>Documentation</span>
      </a>
      <ThemeChoice />
      <button type="button" className="nav-item" onClick={signOut}>
        <Icon name="signOut" /> <span>Sign out</span>
      </button>
    </div>
  )
}

/** Removes the API key and all data that was fetched with it. */
function signOut(): void {
  setKey(undefined)
  queries.clear()
}

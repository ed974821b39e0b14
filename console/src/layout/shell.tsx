import { Link, Outlet, useLocation } from '@tanstack/react-router'
import { useCallback, useState } from 'react'
import { setKey } from '../api/key.ts'
import { queries } from '../api/queries.ts'
import { Button } from '../ui/button.tsx'
import { Icon, type IconName } from '../ui/icon.tsx'
import { ThemeChoice } from './theme-choice.tsx'
import { usePageFocus } from './use-page-focus.ts'
import './shell.css'

/** A place is where one is as long as the address begins with the first part of its own. */
const places: { to: string; name: string; icon: IconName }[] = [
  { to: '/playground/scrape', name: 'Playground', icon: 'play' },
  { to: '/work', name: 'Work', icon: 'work' },
  { to: '/activity', name: 'Activity', icon: 'activity' },
  { to: '/browsers', name: 'Browsers', icon: 'browser' },
  { to: '/watch', name: 'Watch', icon: 'watch' },
  { to: '/run', name: 'Run it', icon: 'settings' },
]

/** The frame around every page. On a narrow window its list of places folds up. */
export function Shell() {
  const [isOpen, setOpen] = useState(false)
  const fold = useCallback(() => setOpen(false), [])
  usePageFocus(fold)
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
              aria-controls="places"
              onClick={() => setOpen(!isOpen)}
            >
              Menu
            </Button>
          </div>
        </div>
        <div id="places" className="places" data-open={isOpen}>
          <Places />
          <Foot />
        </div>
      </header>
      <main id="content" tabIndex={-1}>
        <Outlet />
      </main>
    </div>
  )
}

function Places() {
  const here = useLocation({ select: ({ pathname }) => pathname.split('/')[1] })
  return (
    <nav aria-label="Main">
      {places.map(({ to, name, icon }) => (
        <Link
          key={to}
          to={to}
          className={to.split('/')[1] === here ? 'place active' : 'place'}
          aria-current={to.split('/')[1] === here ? 'page' : undefined}
        >
          <Icon name={icon} /> <span>{name}</span>
        </Link>
      ))}
    </nav>
  )
}

function Foot() {
  return (
    <div className="foot">
      <a href="/docs" className="place">
        <Icon name="book" /> <span>Documentation</span>
      </a>
      <ThemeChoice />
      <button type="button" className="place" onClick={forgetKey}>
        <Icon name="leave" /> <span>Forget the key</span>
      </button>
    </div>
  )
}

/** What was read with the key goes with it. */
function forgetKey(): void {
  setKey(undefined)
  queries.clear()
}

import { Icon } from '../ui/icon.tsx'
import { setTheme, type Theme, useTheme } from './theme.ts'

const themes: { value: Theme; name: string }[] = [
  { value: 'system', name: 'System theme' },
  { value: 'light', name: 'Light' },
  { value: 'dark', name: 'Dark' },
]

export function ThemeChoice() {
  const theme = useTheme()
  return (
    <label className="nav-item theme">
      <Icon name="theme" />
      <span className="hidden">Theme</span>
      <select value={theme} onChange={(event) => setTheme(event.target.value as Theme)}>
        {themes.map(({ value, name }) => (
          <option key={value} value={value}>
            {name}
          </option>
        ))}
      </select>
    </label>
  )
}

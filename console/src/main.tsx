import { QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { queries } from './api/queries.ts'
import { applyTheme } from './layout/theme.ts'
import { KeyGate } from './login/key-gate.tsx'
import { router } from './router.tsx'
import './styles/base.css'
import './styles/layout.css'
import './styles/widgets.css'

applyTheme()
const root = document.getElementById('root')
if (!root) throw new Error('The page has no root.')
createRoot(root).render(
  <StrictMode>
    <QueryClientProvider client={queries}>
      <KeyGate>
        <RouterProvider router={router} />
      </KeyGate>
    </QueryClientProvider>
  </StrictMode>,
)

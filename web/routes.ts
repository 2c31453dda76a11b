import { index, layout, type RouteConfig, route } from '@react-router/dev/routes'

/**
 * The site map: every address and the file that shows it. Signed-in pages stand inside the shell, which guards them,
 * with the sidebar or filling the screen.
 */
export default [
  layout('features/site/layout/site-layout.tsx', [
    index('features/site/landing/landing-page.tsx'),
    route('home', 'features/site/landing/landing-page.tsx', { id: 'home' }),
    route('about', 'features/site/pages/about-page.tsx'),
    route('services', 'features/site/pages/services-page.tsx'),
    route('pricing', 'features/site/plans/pricing-page.tsx'),
    route('plans', 'features/site/plans/plans-page.tsx'),
    route('contact', 'features/site/pages/contact-page.tsx'),
    route('templates', 'features/site/pages/templates-page.tsx'),
    route('privacy-policy', 'features/site/pages/privacy-policy-page.tsx'),
    route('bot', 'features/site/pages/bot-page.tsx'),
    route('blogs', 'features/blog/public/list-page.tsx', { id: 'blogs' }),
    route('search', 'features/blog/public/list-page.tsx', { id: 'blog-search' }),
    route('category/:category', 'features/blog/public/list-page.tsx', { id: 'blog-category' }),
    route('tag/:tag', 'features/blog/public/list-page.tsx', { id: 'blog-tag' }),
    route('blog/:slug', 'features/blog/public/post-page.tsx', { id: 'post' }),
    route('blog-posts/:identifier', 'features/blog/public/post-page.tsx', { id: 'post-by-id' }),
    // One segment that is no page may be a post.
    route(':slug', 'features/blog/public/post-page.tsx', { id: 'post-at-root' }),
    route('*', 'features/site/layout/not-found-page.tsx'),
  ]),

  // Paying leads back here: inside the app for users.
  layout('features/billing/payment-frame.tsx', [
    route('plans/payment-status', 'features/billing/payment-status-page.tsx'),
  ]),

  // A report somebody shared, for everybody who has its link.
  route('r/:token', 'features/campaigns/report/shared-page.tsx'),

  layout('features/accounts/sign-in/account-layout.tsx', [
    route('login', 'features/accounts/sign-in/login-page.tsx'),
    route('signup', 'features/accounts/sign-in/signup-page.tsx'),
    route('verify-email', 'features/accounts/sign-in/verify-email-page.tsx'),
    route('pass-reset', 'features/accounts/sign-in/pass-reset-page.tsx'),
    route('reset-password', 'features/accounts/sign-in/reset-password-page.tsx'),
    // Two addresses of one screen: where signing in with Google ends.
    route('oauth2/redirect', 'features/accounts/google/callback-page.tsx'),
    route('oauth/callback', 'features/accounts/google/callback-page.tsx', { id: 'oauth-callback' }),
  ]),

  layout('features/shell/shell.tsx', [
    layout('features/shell/framed.tsx', [
      layout('features/shell/shell-content.tsx', [
        route('dashboard', 'features/dashboard/dashboard-page.tsx'),
        route('plan', 'features/billing/plan-page.tsx'),
        route('sandbox', 'features/sandbox/sandbox-page.tsx'),
        route('sandbox/whatsapp', 'features/sandbox/phone/phone-page.tsx'),
        route('sandbox/whatsapp/templates', 'features/sandbox/phone/reviews-page.tsx'),

        route('contacts', 'features/contacts/contacts-page.tsx'),
        route('contacts/lists', 'features/contacts/lists/lists-page.tsx'),
        route('contacts/fields', 'features/contacts/fields/fields-page.tsx'),
        route('contacts/tags', 'features/contacts/tags/tags-page.tsx'),
        route('contacts/segments', 'features/contacts/segments/segments-page.tsx'),
        route('contacts/segments/new', 'features/contacts/segments/segment-page.tsx', { id: 'new-segment' }),
        route('contacts/segments/:id', 'features/contacts/segments/segment-page.tsx'),
        route('contacts/forms', 'features/contacts/forms/forms-page.tsx'),
        route('contacts/forms/new', 'features/contacts/forms/form-page.tsx', { id: 'new-form' }),
        route('contacts/forms/:id', 'features/contacts/forms/form-page.tsx'),
        route('contacts/suppressions', 'features/contacts/suppressions/suppressions-page.tsx'),
        route('contacts/:id', 'features/contacts/contact-page.tsx'),
        route('contacts/import', 'features/contacts/imports/import-page.tsx'),
        route('contacts/imports/:id', 'features/contacts/imports/import-job-page.tsx'),
        route('journeys', 'features/journeys/journeys-page.tsx'),
        route('journeys/new', 'features/journeys/new-journey-page.tsx'),
        route('my-templates', 'features/templates/templates-page.tsx'),
        route('my-templates/brand', 'features/templates/brand-page.tsx'),

        // The account, the channels and the admin area: their pages share a title and a row of tabs.
        layout('features/accounts/account-section.tsx', [
          route('account', 'features/accounts/profile-page.tsx'),
          route('account/security', 'features/accounts/security-page.tsx'),
          route('account/workspace', 'features/accounts/workspace-page.tsx'),
          route('account/data', 'features/accounts/data-page.tsx'),
        ]),
        layout('features/shell/email-tools.tsx', [
          // Two addresses of one list, fixed in docs/specification.md, 2; the reports are below the second.
          route('email-sender', 'features/campaigns/channels/email/campaigns-page.tsx'),
          route('mail-dash', 'features/campaigns/channels/email/campaigns-page.tsx', { id: 'mail-dash' }),
          route('mail-dash/:id', 'features/campaigns/channels/email/campaign-page.tsx'),
          route('senders', 'features/senders/senders-page.tsx'),
          route('sending-domains', 'features/senders/domains/domains-page.tsx'),
          route('sending-domains/:id', 'features/senders/domains/domain-page.tsx'),
          route('sending-domains/:id/dmarc', 'features/senders/domains/dmarc-page.tsx'),
          route('bounce-sources', 'features/bounces/bounce-sources-page.tsx'),
        ]),
        layout('features/admin/admin-layout.tsx', [
          route('admin', 'features/admin/admin-page.tsx'),
          route('admin/users', 'features/admin/users-page.tsx'),
          route('admin/health', 'features/admin/health-page.tsx'),
          route('admin/audit', 'features/admin/audit-page.tsx'),
          route('admin/revenue', 'features/billing/revenue-page.tsx'),
          route('create-coupun', 'features/billing/coupons/coupons-page.tsx'),
          route('admin/blog', 'features/blog/posts/admin-list-page.tsx'),
        ]),

        layout('features/shell/whatsapp-tools.tsx', [
          route('whatsapp-sender', 'features/campaigns/channels/whatsapp/campaigns-page.tsx'),
          route('whatsapp-sender/:id', 'features/campaigns/channels/whatsapp/campaign-page.tsx'),
          route('whatsapp-sender/inbox', 'features/whatsapp/inbox/inbox-page.tsx'),
          route('whatsapp-sender/templates', 'features/whatsapp/templates/templates-page.tsx'),
          route('whatsapp-sender/templates/new', 'features/whatsapp/templates/new-template-page.tsx'),
          route('whatsapp-sender/automations', 'features/whatsapp/automations/automations-page.tsx'),
          route('whatsapp-sender/automations/:id', 'features/whatsapp/automations/edit-page.tsx'),
          route('whatsapp-sender/numbers', 'features/whatsapp/numbers/numbers-page.tsx'),
          route('whatsapp-dash', 'features/whatsapp/reports/results-page.tsx'),
        ]),

        route('gmail-analytics', 'features/gmail/analytics/open-rate-page.tsx'),
        route('gmail-link', 'features/gmail/analytics/click-rate-page.tsx'),
        layout('features/shell/paid-only.tsx', [
          layout('features/shell/gmail-tools.tsx', [
            route('gmail-sender', 'features/campaigns/channels/gmail/campaigns-page.tsx'),
            route('gmail-sender/campaigns', 'features/campaigns/channels/gmail/campaigns-page.tsx', {
              id: 'gmail-campaigns',
            }),
            route('gmail-sender/accounts', 'features/gmail/accounts/accounts-page.tsx'),
            route('gmail-sender/setup', 'features/gmail/accounts/setup-page.tsx'),
            route('gmail-sender/campaigns/:id', 'features/campaigns/channels/gmail/campaign-page.tsx'),
          ]),
          // One set of screens, two wordings.
          route('email-scraper', 'features/collector/start/start-page.tsx'),
          route('email-scraper/:id', 'features/collector/job-page.tsx'),
          route('number-scraper', 'features/collector/start/start-page.tsx', { id: 'number-scraper' }),
          route('number-scraper/:id', 'features/collector/job-page.tsx', { id: 'number-scrape' }),
        ]),
      ]),
    ]),

    // Pages that fill the screen, each with a bar and a way out of its own.
    layout('features/shell/focused.tsx', [
      layout('features/shell/shell-content.tsx', { id: 'focused-content' }, [
        route('journeys/:id', 'features/journeys/journey-page.tsx'),
        route('email-sender/new', 'features/campaigns/channels/email/wizard-page.tsx'),
        route('whatsapp-sender/new', 'features/campaigns/channels/whatsapp/wizard-page.tsx'),
        layout('features/shell/paid-only.tsx', { id: 'focused-paid' }, [
          route('gmail-sender/new', 'features/campaigns/channels/gmail/wizard-page.tsx'),
        ]),
        layout('features/admin/focused-layout.tsx', [
          // Three addresses of one editor, fixed in docs/specification.md, 2.
          route('admin/blog/create', 'features/blog/posts/editor/new-post-page.tsx'),
          route('create-blog', 'features/blog/posts/editor/new-post-page.tsx', { id: 'create-blog' }),
          route('post-form', 'features/blog/posts/editor/new-post-page.tsx', { id: 'post-form' }),
          route('admin/blog/edit/:id', 'features/blog/posts/editor/edit-post-page.tsx'),
        ]),
      ]),
    ]),
  ]),

  // The editor of posts, open to everybody; saving there needs an admin.
  route('blog/create', 'features/blog/posts/editor/open-post-page.tsx'),

  // Public: starters are edited without an account, and a private template asks for signing in there.
  route('editor/:id', 'features/templates/editor/editor-page.tsx'),
  // Where the editor used to be: links in emails and bookmarks still lead there.
  route('my-templates/:id', 'features/templates/editor/editor-page.tsx', { id: 'my-template' }),

  // The design system as it looks, for those who build with it.
  // biome-ignore lint/style/noProcessEnv: the site map is read when the pages are built
  ...(process.env.NODE_ENV === 'production' ? [] : [route('ui', 'features/design/design-page.tsx')]),
] satisfies RouteConfig

module.exports = ({ env }) => ({
  serveAdminPanel: false,
  auth: { secret: 'of-a-test' },
  apiToken: { salt: 'of-a-test' },
  transfer: { token: { salt: 'of-a-test' } },
});

module.exports = ({ env }) => ({
  connection: { client: 'sqlite', connection: { filename: env('DATABASE') }, useNullAsDefault: true },
});

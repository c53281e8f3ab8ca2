// The rows of the system "blog", each by the document's own queries and by the
// design's operations.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as written from './documents/blog.mjs';
import { blog as ids, MILLISECONDS, newUlid } from './ids.mjs';
import { fails, openSystem, pagesOf, pluck, race, rawPages, refused, sorted } from './systems.mjs';

const system = await openSystem('blog');
const { call, docClient, keepsDesigns } = system;
const TableName = 'portfolio-backend-table';

const query = (index, partition, prefix, more = {}) => ({
  TableName,
  ...(index && { IndexName: index }),
  KeyConditionExpression: `${index ?? ''}PK = :pk${prefix ? ` AND begins_with(${index ?? ''}SK, :sk)` : ''}`,
  ExpressionAttributeValues: { ':pk': partition, ...(prefix && { ':sk': prefix }) },
  ...more,
});
const read = async (...parts) => (await docClient.query(query(...parts))).Items;

const newPost = async (details = {}) =>
  (await call('createPost', { title: 'Um post', content: 'Texto.', authorId: ids.helena, categoryId: `cat-${newUlid()}`, ...details })).item;

test('B1 a user by id; by e-mail address', async () => {
  const { Item } = await docClient.get({ TableName, Key: { PK: `USER#${ids.helena}`, SK: 'PROFILE' } });
  assert.equal(Item.entityType, 'USER');
  assert.equal(Item.data.name, 'Helena Prado');
  assert.equal(Item.name, undefined, 'what belongs to the entity is in the map');
  const { item } = await call('user', { userId: ids.helena });
  assert.deepEqual([item.name, item.role, item.createdAt], ['Helena Prado', 'author', '2025-03-01T12:00:00.000Z']);
  for (const absent of ['PK', 'GSI1PK', 'entityType', 'data', 'password']) assert.equal(item[absent], undefined, absent);

  // The document's query, as written.
  assert.deepEqual((await docClient.query(written.userByEmail())).Items, []);
  const made = (await call('createUser', { name: 'Usuário', email: 'user@example.com', password: 'batata-frita' })).item;
  const found = (await docClient.query(written.userByEmail())).Items;
  assert.deepEqual(pluck(found, 'PK'), [`USER#${made.userId}`]);
  assert.equal((await call('userByEmail', { email: 'user@example.com' })).item.userId, made.userId);
  await fails(call('createUser', { name: 'Outro', email: 'user@example.com' }), 'NotUnique');
  assert.equal((await call('login', { email: 'helena@exemplo.com.br', password: ids.password })).item.userId, ids.helena);
  await fails(call('login', { email: 'helena@exemplo.com.br', password: 'batata' }), 'WrongCredentials');
  // Who has no password cannot log in, with any.
  await call('createUser', { name: 'Sem senha', email: 'sem.senha@example.com' });
  await fails(call('login', { email: 'sem.senha@example.com', password: 'qualquer-uma' }), 'WrongCredentials');

  await call('updateProfile', { userId: made.userId, email: 'novo@example.com', bio: 'Novo.' });
  assert.deepEqual((await docClient.query(written.userByEmail())).Items, []);
  assert.equal((await docClient.query(written.userByEmail('novo@example.com'))).Items[0].data.bio, 'Novo.');
  await fails(call('updateProfile', { userId: made.userId, email: 'helena@exemplo.com.br' }), 'NotUnique');
  if (!keepsDesigns) return;

  const attempts = Array.from({ length: 64 }, (_, number) =>
    docClient.put({
      TableName,
      Item: { PK: `USER#corrida-${number}`, SK: 'PROFILE', entityType: 'USER', data: { name: 'Corrida', email: 'corrida@example.com' } },
    }),
  );
  assert.equal((await race(attempts)).won.length, 1);
  assert.equal((await docClient.query(written.userByEmail('corrida@example.com'))).Items.length, 1);
});

test('B2 posts by status, newest first', async () => {
  const raw = await read('GSI1', 'POST#STATUS#published', undefined, { ScanIndexForward: false });
  assert.deepEqual(raw.map(({ data }) => data.postId), ['post-3', 'post-2', 'post-1']);
  assert.deepEqual(pluck((await call('postsByStatus', { status: 'published' })).items, 'postId'), ['post-3', 'post-2', 'post-1']);
  const pages = await pagesOf(system, 'postsByStatus', { status: 'published', limit: 2 });
  assert.deepEqual(pages.map((page) => pluck(page, 'postId')).filter((page) => page.length), [['post-3', 'post-2'], ['post-1']]);
  assert.deepEqual(pluck((await call('postsByStatus', { status: 'archived' })).items, 'postId'), ['post-5']);
  await fails(call('postsByStatus', { status: 'lost' }), 'InvalidParameter');
});

test('B3 the posts of a category', async () => {
  const raw = (await docClient.query(written.postsOfCategory())).Items;
  assert.deepEqual(raw.map(({ data }) => data.postId), ['post-1', 'post-2', 'post-4']);
  assert.deepEqual(pluck((await call('postsOfCategory', { categoryId: 'cat-123' })).items, 'postId'), ['post-4', 'post-2', 'post-1']);
  // A post without a category is in no such list.
  const all = await rawPages((page) => docClient.scan(page), { TableName, IndexName: 'GSI2' });
  assert.ok(all.flat().every(({ data }) => data.postId !== 'post-5'));
  const post = await newPost();
  await call('updatePost', { postId: post.postId, categoryId: 'cat-novo' });
  assert.deepEqual((await call('postsOfCategory', { categoryId: post.categoryId })).items, []);
  assert.deepEqual(pluck((await call('postsOfCategory', { categoryId: 'cat-novo' })).items, 'postId'), [post.postId]);
});

test('B4 a post with its comments and likes in one query', async () => {
  const raw = await read(undefined, 'POST#post-1');
  const kinds = ['COMMENT', 'COMMENT', 'COMMENT', 'LIKE', 'LIKE', 'POST'];
  assert.deepEqual(pluck(raw, 'entityType'), kinds);
  const { items } = await call('postWithCommentsAndLikes', { postId: 'post-1' });
  assert.deepEqual(items.map(({ $entity }) => $entity.toUpperCase()), kinds);
  assert.equal(items.at(-1).title, 'Uma tabela só');
  assert.ok(items.every(({ postId }) => postId === 'post-1'));
});

test('B5 the comments of a post; of a user', async () => {
  const ofPost = await read(undefined, 'POST#post-1', 'COMMENT#');
  const writers = [ids.caio, ids.helena, ids.beatriz];
  assert.deepEqual(ofPost.map(({ data }) => data.userId), writers);
  assert.deepEqual(pluck((await call('commentsOfPost', { postId: 'post-1' })).items, 'userId'), writers);
  const ofUser = await read('GSI1', `COMMENT#${ids.caio}`, 'POST#', { ScanIndexForward: false });
  assert.deepEqual(pluck(ofUser, 'PK'), ['POST#post-3', 'POST#post-1']);
  assert.deepEqual(pluck((await call('commentsOfUser', { userId: ids.caio })).items, 'postId'), ['post-3', 'post-1']);

  const { postId } = await newPost();
  const comment = (await call('addComment', { postId, userId: ids.beatriz, content: 'Muito bom.' })).item;
  assert.match(comment.createdAt, MILLISECONDS);
  assert.deepEqual(pluck((await call('commentsOfPost', { postId })).items, 'content'), ['Muito bom.']);
  await call('removeComment', { postId, commentId: comment.commentId });
  assert.deepEqual((await call('commentsOfPost', { postId })).items, []);
  await fails(call('addComment', { postId, userId: ids.beatriz, content: '' }), 'InvalidParameter');
});

test('B6 like and unlike, once a user; likes of a post; of a user, by date', async () => {
  assert.deepEqual(pluck(await read(undefined, 'POST#post-1', 'LIKE#'), 'SK'), [`LIKE#${ids.caio}`, `LIKE#${ids.beatriz}`]);
  assert.deepEqual(pluck((await call('likesOfPost', { postId: 'post-1' })).items, 'userId'), [ids.caio, ids.beatriz]);
  assert.deepEqual(pluck(await read('GSI1', `USER#${ids.caio}`, 'LIKE#', { ScanIndexForward: false }), 'PK'), ['POST#post-2', 'POST#post-1']);
  assert.deepEqual(pluck((await call('likesOfUser', { userId: ids.caio })).items, 'postId'), ['post-2', 'post-1']);

  const { postId } = await newPost();
  const { won, failed } = await race(Array.from({ length: 16 }, () => call('like', { postId, userId: ids.helena })));
  assert.equal(won.length, 1);
  assert.ok(failed.every(({ code }) => code === 'AlreadyExists'), String(failed[0]));
  assert.equal((await call('likesOfPost', { postId })).items.length, 1);
  await call('unlike', { postId, userId: ids.helena });
  assert.deepEqual((await call('likesOfPost', { postId })).items, []);
  await call('like', { postId, userId: ids.helena });
  if (!keepsDesigns) return;

  // A like that says nothing but its key: the rest is made.
  await docClient.put({ TableName, Item: { PK: `POST#${postId}`, SK: 'LIKE#user-novo' } });
  const [Item] = await read('GSI1', 'USER#user-novo', 'LIKE#');
  assert.equal(Item.entityType, 'LIKE');
  assert.equal(Item.GSI1SK, `LIKE#${Item.createdAt}`);
});

test('B7 a category by its slug', async () => {
  const [Item] = await read('GSI1', 'CATEGORY#SLUG#bancos-de-dados');
  assert.deepEqual([Item.PK, Item.GSI1SK, Item.data.name], ['CATEGORY#cat-123', 'METADATA', 'Bancos de dados']);
  assert.equal((await call('categoryBySlug', { slug: 'bancos-de-dados' })).item.categoryId, 'cat-123');
  await fails(call('categoryBySlug', { slug: 'bancos' }), 'NotFound');
  await call('createCategory', { name: 'Nova', slug: 'nova' });
  await fails(call('createCategory', { name: 'Nova também', slug: 'nova' }), 'NotUnique');
});

test('B8 the notifications of a user: by id, and by date', async () => {
  const byId = ['n-10', 'n-20', 'n-30'];
  const byDate = ['n-20', 'n-10', 'n-30'];
  const raw = (await docClient.query(written.notificationsOfUser())).Items;
  assert.deepEqual(raw.map(({ data }) => data.notificationId), byId);
  assert.deepEqual(pluck((await call('notifications', { userId: ids.helena })).items, 'notificationId'), byId);
  const rawByDate = await read('GSI1', `USER#${ids.helena}`, 'NOTIFICATION#', { ScanIndexForward: false });
  assert.deepEqual(rawByDate.map(({ data }) => data.notificationId), byDate);
  assert.deepEqual(pluck((await call('notificationsByDate', { userId: ids.helena })).items, 'notificationId'), byDate);

  const userId = `user-${newUlid()}`;
  const made = (await call('notify', { userId, message: 'Bem-vinda!' })).item;
  assert.deepEqual([made.isRead, made.reason], [false, 'system']);
  await call('markAsRead', { userId, notificationId: made.notificationId });
  assert.equal((await call('notification', { userId, notificationId: made.notificationId })).item.isRead, true);
});

test('B9 the bookmarks of a user: add, remove, list by date', async () => {
  assert.deepEqual(pluck((await call('bookmarks', { userId: ids.caio })).items, 'postId'), ['post-1', 'post-2', 'post-3']);
  const raw = await read('GSI1', `USER#${ids.caio}`, 'BOOKMARK#', { ScanIndexForward: false });
  assert.deepEqual(raw.map(({ data }) => data.postId), ['post-1', 'post-3', 'post-2']);
  assert.deepEqual(pluck((await call('bookmarksByDate', { userId: ids.caio })).items, 'postId'), ['post-1', 'post-3', 'post-2']);
  const userId = `user-${newUlid()}`;
  await call('addBookmark', { userId, postId: 'post-2' });
  await fails(call('addBookmark', { userId, postId: 'post-2' }), 'AlreadyExists');
  await call('removeBookmark', { userId, postId: 'post-2' });
  assert.deepEqual((await call('bookmarksByDate', { userId })).items, []);
});

test('B10 publish and unpublish: a status change moves the index key by itself', async () => {
  const statusOf = async (postId) => {
    for (const status of ['draft', 'published', 'archived']) {
      const all = (await pagesOf(system, 'postsByStatus', { status })).flat();
      if (all.some((post) => post.postId === postId)) return status;
    }
  };
  const { postId, status } = await newPost();
  assert.equal(status, 'draft');
  assert.equal(await statusOf(postId), 'draft');
  const published = (await call('publish', { postId })).item;
  assert.match(published.publishedAt, MILLISECONDS);
  assert.equal(await statusOf(postId), 'published');
  await fails(call('publish', { postId }), 'ConditionFailed');
  const unpublished = (await call('unpublish', { postId })).item;
  assert.equal(unpublished.publishedAt, undefined);
  assert.equal(await statusOf(postId), 'draft');
  await fails(call('publish', { postId: 'post-nenhum' }), 'NotFound');
  if (!keepsDesigns) return;

  const setStatus = (value) =>
    docClient.update({
      TableName,
      Key: { PK: `POST#${postId}`, SK: 'METADATA' },
      UpdateExpression: 'SET #d.#s = :s',
      ExpressionAttributeNames: { '#d': 'data', '#s': 'status' },
      ExpressionAttributeValues: { ':s': value },
      ReturnValues: 'ALL_NEW',
    });
  const { Attributes } = await setStatus('archived');
  assert.equal(Attributes.GSI1PK, 'POST#STATUS#archived');
  assert.equal(await statusOf(postId), 'archived');
  await refused(setStatus('lost'), 'ValidationException', /status/);
  // Nor can a client put the key elsewhere by hand.
  await docClient.update({
    TableName,
    Key: { PK: `POST#${postId}`, SK: 'METADATA' },
    UpdateExpression: 'SET GSI1PK = :elsewhere',
    ExpressionAttributeValues: { ':elsewhere': 'POST#STATUS#published' },
  }).catch((error) => assert.equal(error.name, 'ValidationException'));
  assert.equal(await statusOf(postId), 'archived');
  assert.deepEqual(sorted(pluck((await call('postsByStatus', { status: 'published' })).items, 'postId')), ['post-1', 'post-2', 'post-3']);
});
